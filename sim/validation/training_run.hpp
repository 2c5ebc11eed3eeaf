#pragma once

#include <memory>
#include <string>

#include "hardware/fabric/fabric_profile.hpp"
#include "hardware/gpu.hpp"
#include "hardware/training_efficiency.hpp"
#include "llm/architecture.hpp"
#include "training/chunk_pass.hpp"
#include "training/graph.hpp"
#include "training/layout.hpp"
#include "training/replay.hpp"
#include "training/schedule.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

hardware::GpuProfile shipped_gpu(const Sources& sources, const std::string& name);
hardware::FabricProfile shipped_fabric(const Sources& sources, const std::string& name);
llm::Architecture shipped_model(const Sources& sources, const std::string& name);

/// A job on nodes of 8 GPUs whose iteration is replayed at the clocks that settings give.
class TrainingRun {
 public:
  /// Throws UserError where the layout does not suit the model.
  TrainingRun(hardware::GpuProfile gpu, hardware::FabricProfile fabric, llm::Architecture model, training::Layout layout);

  /// Seconds of an iteration with the profile's efficiencies, or with others in their place.
  double seconds() const;
  double seconds(const hardware::FittedEfficiency& efficiency) const;
  /// Mean watts of a GPU over an iteration, waits included.
  double mean_gpu_watts() const;

 private:
  training::IterationParts parts(const hardware::GpuProfile& gpu) const;

  hardware::GpuProfile gpu_;
  hardware::FabricProfile fabric_;
  llm::Architecture model_;
  training::Layout layout_;
  training::Iteration iteration_;  ///< its graph does not depend on efficiencies; without overlapped messages, nor do its dependencies
};

}  // namespace joulecast::validation
