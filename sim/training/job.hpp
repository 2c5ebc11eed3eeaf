#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/entity.hpp"
#include "metering/meter.hpp"
#include "training/job_fleet.hpp"

namespace joulecast::training {

/// GPUs of one stage that always do the same: `copies` times what one replica's stage draws.
struct JobDevice {
  metering::Meter* meter = nullptr;
  std::int64_t copies = 1;
};

/// The ledger's classes of training work.
struct JobClasses {
  metering::ClassId forward = 0, backward = 0, recompute = 0, optimizer = 0, communication = 0;
};

struct JobSetup {
  Fleet fleet;
  std::vector<std::vector<JobDevice>> devices;  ///< by lane of the fleet
  JobClasses classes;
  Watts bare_idle{};  ///< of one GPU, before the job begins and after it has ended
  Time start{0};
  std::int64_t iterations = 1;
};

/// What a job did in the iterations that ended.
struct JobStatistics {
  std::int64_t iterations = 0;
  FixedTime time;                    ///< from the first's start to the last's end
  FixedTime shortest, longest;       ///< iteration
  SpentAccount spent;                ///< all replicas and stages together
  std::vector<SpentAccount> stages;  ///< all replicas together
  bool finished = false;
};

/// A training job: iterations one after another from its start, each charged when it has ended, or as far as it came when the run ends. Between
/// passes its GPUs spin-wait, but where a message is under way, which is active communication.
class Job final : public engine::Entity {
 public:
  explicit Job(JobSetup setup);

  void start(engine::Context& context) override;
  void on(const engine::Event& event, engine::Context& context) override;
  void finish(engine::Context& context) override;
  std::uint64_t fingerprint(Time now) const override;

  const JobStatistics& statistics() const { return statistics_; }

 private:
  class Charge;
  void begin(FixedTime at, engine::Context& context);
  void charge(FixedTime limit);
  void idle_until(FixedTime to);

  JobSetup setup_;
  FixedTime begun_;  ///< the running iteration
  bool running_ = false;
  std::vector<SpentAccount> lanes_;  ///< of the iteration that is being charged
  JobStatistics statistics_;
};

}  // namespace joulecast::training
