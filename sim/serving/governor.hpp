#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/clock_controller.hpp"
#include "control/power_controller.hpp"
#include "control/scaler.hpp"
#include "engine/entity.hpp"
#include "serving/operating_points.hpp"
#include "serving/power_meter.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {

/// A pool under control: its replicas and who decides what of them. Pools without a controller stand in the list all the same.
struct GovernedPool {
  std::vector<const Replica*> replicas;
  OperatingPoints* points = nullptr;  ///< null where nobody sets clocks or limits; outlives the run
  std::unique_ptr<control::ClockController> clocks;
  std::unique_ptr<control::Scaler> scaler;
};

/// A feed or site whose power somebody holds.
struct GovernedPower {
  std::unique_ptr<control::PowerController> controller;
  std::vector<std::size_t> pools;  ///< that it steers, as its facts list them
  PowerMeter meter;
};

/// What came of control, for the result.
struct GovernorCounts {
  std::int64_t clock_changes = 0;  ///< commands to a replica, by pool
  std::int64_t scale_changes = 0;
};
struct PowerCounts {
  std::int64_t decisions = 0, changes = 0;  ///< control points, and those at which a setting changed
  double peak_watts = 0;                    ///< the largest mean of a period
  double limited_s = 0;                     ///< pool-seconds with a setting in force
};

/// Asks the controllers of a run at their control points, in the order scalers, clocks, power, each pool and replica in its order, and commands the
/// replicas; in between when a decision that was on its way acts. Of what a pool's clock controller and the power controllers set the lowest clock and the lowest cap hold. What is sent at a control point
/// comes before everything else that a replica gets at that instant. A decision that changes nothing sends nothing.
class Governor final : public engine::Entity, public engine::ActingController {
 public:
  Governor(std::vector<GovernedPool> pools, std::vector<GovernedPower> power);
  /// The replicas of all pools, one list a pool; before the run.
  void connect(engine::Port port, std::vector<std::vector<engine::EntityId>> replicas);
  /// The control points: what all periods are multiples of.
  Span period() const { return period_; }
  /// When the next decision that is on its way acts.
  Time next_point() const override;

  void at_grid_point(engine::Context& context) override;
  void on(const engine::Event&, engine::Context&) override {}
  std::uint64_t fingerprint(Time) const override { return decisions_hash_; }

  const GovernorCounts& counts(std::size_t pool) const { return pools_[pool].counts; }
  const PowerCounts& power_counts(std::size_t index) const { return power_[index].counts; }

 private:
  struct PoolState {
    GovernedPool setup;
    std::vector<engine::EntityId> ids;
    std::vector<control::ReplicaState> now, at_clock_point;
    std::vector<control::ClockSetting> clocks;  ///< a replica; empty without a controller
    std::vector<std::size_t> commanded;         ///< operating point, a replica
    std::vector<control::PowerSetting> limits;  ///< in force, one a power controller that steers the pool
    GovernorCounts counts;
  };
  struct Decision {
    Time acts;
    std::vector<control::PowerSetting> settings;
  };
  struct PowerState {
    GovernedPower setup;
    std::vector<std::size_t> slot;  ///< of each of its pools' `limits`
    std::vector<control::PowerSetting> decided;
    std::deque<Decision> on_the_way;
    std::vector<std::vector<double>> joules;  ///< at the last control point, all pools
    PowerCounts counts;
  };

  void scale(PoolState& pool, engine::Context& context);
  void choose_clocks(PoolState& pool, Time now);
  void hold_power(PowerState& power, Time now);
  void put_in_force(PowerState& power, Time now);
  void command(PoolState& pool, engine::Context& context);
  void note(std::uint64_t what);

  std::vector<PoolState> pools_;
  std::vector<PowerState> power_;
  Span period_{0};
  engine::Port port_;
  std::uint64_t decisions_hash_ = 0;
};

}  // namespace joulecast::serving
