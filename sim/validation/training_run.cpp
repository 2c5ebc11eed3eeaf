#include "validation/training_run.hpp"

#include <algorithm>
#include <utility>

#include "hardware/fabric/fabric_collectives.hpp"
#include "hardware/profiles.hpp"
#include "training/model_costs.hpp"

namespace joulecast::validation {

namespace {

constexpr std::int64_t kGpusPerNode = 8;

template <class T>
T shipped(T (*load)(const std::string&, config::Diagnostics&), const std::string& path) {
  config::Diagnostics diagnostics;
  T value = load(path, diagnostics);
  diagnostics.throw_if_failed();
  return value;
}

training::ScheduleKind schedule_of(const training::Layout& layout) {
  return layout.virtual_chunks > 1 ? training::ScheduleKind::interleaved : training::ScheduleKind::one_f_one_b;
}

}  // namespace

hardware::GpuProfile shipped_gpu(const Sources& sources, const std::string& name) {
  return shipped(hardware::load_gpu, hardware::find_profile(hardware::gpu_folder(sources.share), "GPU", name, {}));
}

hardware::FabricProfile shipped_fabric(const Sources& sources, const std::string& name) {
  return shipped(hardware::load_fabric, hardware::find_profile(hardware::fabric_folder(sources.share), "fabric", name, {}));
}

llm::Architecture shipped_model(const Sources& sources, const std::string& name) {
  return shipped(llm::load_architecture, hardware::find_profile(hardware::model_folder(sources.share), "model", name, {}));
}

TrainingRun::TrainingRun(hardware::GpuProfile gpu, hardware::FabricProfile fabric, llm::Architecture model, training::Layout layout)
    : gpu_(std::move(gpu)), fabric_(std::move(fabric)), model_(std::move(model)), layout_(std::move(layout)) {
  config::Diagnostics diagnostics;
  training::check_layout(model_, layout_, {model_.file, 0, 0}, diagnostics);
  diagnostics.throw_if_failed();
  iteration_ = training::build_iteration(training::make_schedule(schedule_of(layout_), layout_.schedule_shape()), parts(gpu_));
}

training::IterationParts TrainingRun::parts(const hardware::GpuProfile& gpu) const {
  const std::int64_t nodes = std::max<std::int64_t>(1, (layout_.gpus() + kGpusPerNode - 1) / kGpusPerNode);
  const hardware::FabricCollectives collectives(gpu, kGpusPerNode, nodes > 1 ? &fabric_ : nullptr, nodes, training::collective_options(gpu));
  return training::model_costs(gpu, model_, layout_, collectives, kGpusPerNode);
}

double TrainingRun::seconds() const { return training::replay(iteration_, {}).makespan.units(); }

double TrainingRun::seconds(const hardware::FittedEfficiency& efficiency) const {
  auto gpu = gpu_;
  gpu.training->fitted = efficiency;
  auto parts_then = parts(gpu);
  auto iteration = iteration_;
  iteration.costs = std::move(parts_then.costs);
  for (auto& each : iteration.dependencies) {
    if (each.delay.raw != 0) each.delay = parts_then.forward_message;
  }
  return training::replay(iteration, {}).makespan.units();
}

double TrainingRun::mean_gpu_watts() const {
  const auto run = training::replay(iteration_, {});
  const double gpus = static_cast<double>(layout_.gpus_per_stage() * layout_.pipeline);
  return run.total().units() / run.makespan.units() / gpus;
}

}  // namespace joulecast::validation
