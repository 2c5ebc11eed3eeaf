#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/record.hpp"
#include "scenario/tables/cluster.hpp"
#include "training/layout.hpp"
#include "training/schedule.hpp"

namespace joulecast::scenario {

/// `stage_profile = { .. }`: measured times and joules of a stage in place of the operation model.
struct StageProfileTable {
  std::string file;
  double time_scale = 1;
  std::optional<Watts> blocking;  ///< of a GPU; absent: the GPU profile's spin-wait
  Place place;
};

/// `[training.NAME.straggler.NAME]`.
struct StragglerTable {
  std::int64_t replica = 0;
  std::optional<std::int64_t> stage;  ///< absent: all stages
  double speed_factor = 1;
  Place place;
};

/// When a job begins: a date, or a time from the run's start on.
struct JobStart {
  std::optional<config::DateTime> date;
  Seconds after{0};
  Place place;
};

/// Which clocks a job's GPUs run at.
struct JobClock {
  std::optional<Hertz> lock;
  std::string policy;  ///< a [policy] table's name or a registered one; "" with a lock or "auto"
  Place place;
};

/// `[training.NAME]`.
struct TrainingTable {
  std::string cluster, node, gpu;
  CostTable cost;
  std::int64_t gpus = 0;
  JobStart start;
  std::string model;
  training::Method method = training::Method::pretrain;
  std::int64_t lora_rank = 16;
  std::int64_t tensor_parallel_size = 1, pipeline_parallel_size = 1, context_parallel_size = 1, expert_parallel_size = 1;
  std::int64_t virtual_pipeline_parallel_size = 1;
  std::vector<std::int64_t> layers;
  std::int64_t global_batch_size = 1, micro_batch_size = 1, seq_length = 1, train_iters = 1;
  training::ScheduleKind schedule = training::ScheduleKind::one_f_one_b;
  std::vector<std::string> own_schedule;  ///< a line of steps a stage; empty: `schedule`
  training::Recompute recompute = training::Recompute::none;
  bool sequence_parallel = false, flash_attention = true, distributed_optimizer = false, overlap_p2p = false, overlap_grad_reduce = false;
  JobClock sm_clock;
  std::optional<Watts> gpu_power_limit;  ///< absent: "default", the profile's
  double speed_factor = 1;
  config::Share jitter;
  config::NamedTables<StragglerTable> straggler;
  std::optional<StageProfileTable> stage_profile;
  Place place;
};

config::Record<TrainingTable> training_record();

}  // namespace joulecast::scenario
