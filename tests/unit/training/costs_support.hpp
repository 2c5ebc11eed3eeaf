#pragma once

#include <string>

#include "hardware/fabric/fabric_collectives.hpp"
#include "hardware/profiles.hpp"
#include "llm/architecture.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

inline hardware::GpuProfile gpu_named(const std::string& name) {
  config::Diagnostics diagnostics;
  auto gpu = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder("."), "GPU", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return gpu;
}

inline llm::Architecture model_named(const std::string& name) {
  config::Diagnostics diagnostics;
  auto model = llm::load_architecture(hardware::find_profile(hardware::model_folder("."), "model", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  return model;
}

/// Every collective takes latency + bytes/rate.
struct PlainCollectives final : hardware::CollectiveTimes {
  double latency = 0, rate = 100e9;
  double seconds(hardware::Collective, double bytes, const hardware::RankGroup& group) const override {
    return group.ranks < 2 ? 0 : latency + bytes / rate;
  }
};

/// Nothing takes time to communicate.
struct FreeCollectives final : hardware::CollectiveTimes {
  double seconds(hardware::Collective, double, const hardware::RankGroup&) const override { return 0; }
};

/// A layout of one GPU for sequences of 2048 tokens.
inline Layout one_gpu(std::int64_t batch = 1) {
  Layout layout;
  layout.global_batch_size = batch;
  layout.seq_length = 2048;
  return layout;
}

}  // namespace joulecast::training
