#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "config/node.hpp"
#include "hardware/fabric/fabric_profile.hpp"
#include "llm/architecture.hpp"
#include "training/layout.hpp"
#include "training/schedule.hpp"

namespace joulecast::scenario {

/// Measured stages of a job, scaled to its own.
struct StageProfileInput {
  std::string path;
  double time_scale = 1;
  std::optional<Watts> blocking;  ///< of a GPU
};

struct Straggler {
  std::string name;
  std::int64_t replica = 0;
  std::optional<std::int64_t> stage;  ///< absent: all
  double speed_factor = 1;
};

/// A checked training job: names are looked up, sizes fit.
struct TrainingJob {
  std::string name;
  std::size_t cluster = 0;
  std::string model_name;                  ///< as written; "" without a model
  std::string model_path;                  ///< of a model given by path
  std::optional<llm::Architecture> model;  ///< absent only with a stage profile
  training::Layout layout;
  training::ScheduleKind schedule = training::ScheduleKind::one_f_one_b;
  std::vector<std::string> own_schedule;  ///< hand-written, a line a stage; empty: `schedule`
  Time start{0};
  std::int64_t iterations = 1;
  std::optional<Hertz> clock;     ///< a lock; absent: "auto" or a policy
  std::string clock_policy;       ///< the registered name; "" for none
  std::string clock_policy_name;  ///< as written
  config::Node clock_policy_parameters{config::Table{}, {}};
  std::optional<Watts> power_limit;
  double speed_factor = 1;
  double jitter = 0;
  std::vector<Straggler> stragglers;
  std::optional<StageProfileInput> profile;
  std::optional<hardware::FabricProfile> fabric;
  Place place;
  /// What errors were drawn (error_sources.hpp): watts of its operations, time of its collectives in a node.
  double drawn_watts = 1, drawn_collectives = 1;

  std::int64_t gpus() const { return layout.gpus(); }
  /// Whether the schedule runs weight gradients apart.
  bool splits_backward() const;
  /// By replica and stage: time over that of a sound GPU.
  std::vector<std::vector<double>> slowdown() const;
};

}  // namespace joulecast::scenario
