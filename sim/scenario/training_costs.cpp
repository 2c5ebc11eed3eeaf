#include "scenario/training_costs.hpp"

#include <fmt/format.h>

#include "hardware/fabric/fabric_collectives.hpp"
#include "training/graph.hpp"
#include "training/model_costs.hpp"
#include "training/schedule_text.hpp"
#include "training/stage_profile_costs.hpp"

namespace joulecast::scenario {

training::Schedule job_schedule(const TrainingJob& job) {
  if (job.own_schedule.empty()) return training::make_schedule(job.schedule, job.layout.schedule_shape(), job.place);
  return training::parse_schedule(job.own_schedule, job.place);
}

namespace {

training::IterationParts profiled_costs(const TrainingJob& job, const Cluster& cluster) {
  const traces::StageProfile profile = traces::read_stage_profile(traces::TextLines(job.profile->path, job.place));
  if (static_cast<std::int64_t>(profile.stages.size()) != job.layout.pipeline) {
    throw UserError(job.place, fmt::format("{} has {} stages, the job {}", job.profile->path, profile.stages.size(), job.layout.pipeline),
                    fmt::format("write pipeline_parallel_size = {}, or give another profile", profile.stages.size()));
  }
  training::StageProfileScale scale;
  scale.time = job.profile->time_scale;
  scale.watts = job.drawn_watts;
  scale.gpus = static_cast<int>(job.layout.gpus_per_stage());
  scale.blocking_per_gpu = job.profile->blocking ? *job.profile->blocking : cluster.gpu.idle.spin_wait.value;
  scale.split_backward = job.splits_backward();
  return training::costs_of(profile, scale);
}

/// The GPU as the job finds it: with the errors that were drawn.
hardware::GpuProfile drawn_gpu(hardware::GpuProfile gpu, const TrainingJob& job) {
  for (auto* watts :
       {&gpu.watts.gemm_base, &gpu.watts.gemm_slope, &gpu.watts.attention, &gpu.watts.collective, &gpu.watts.elementwise, &gpu.watts.host}) {
    watts->value = job.drawn_watts * watts->value;
  }
  const auto slow = [&](auto& forms) {
    for (auto& form : forms) {
      form.alpha.value = job.drawn_collectives * form.alpha.value;
      form.root.value *= job.drawn_collectives;
      form.beta.value = (1 / job.drawn_collectives) * form.beta.value;
    }
  };
  slow(gpu.all_reduce);
  slow(gpu.collectives);
  return gpu;
}

}  // namespace

training::Iteration job_iteration(const Scenario& scenario, const TrainingJob& job, bool every_clock) {
  const Cluster& cluster = scenario.clusters[job.cluster];
  if (job.profile) return training::build_iteration(job_schedule(job), profiled_costs(job, cluster), job.place);
  const hardware::GpuProfile gpu = drawn_gpu(cluster.gpu, job);
  hardware::CollectiveOptions options;
  if (gpu.training) options.nic_efficiency = gpu.training->fitted.nic.value;
  const hardware::FabricCollectives collectives(gpu, cluster.node.gpus, job.fabric ? &*job.fabric : nullptr, cluster.nodes, options);
  training::ClockSettings settings;
  settings.lock = job.clock;
  settings.cap = job.power_limit;
  settings.every_clock = every_clock;
  settings.speed_factor = job.speed_factor;
  const training::IterationParts parts = training::model_costs(gpu, *job.model, job.layout, collectives, cluster.node.gpus, settings);
  return training::build_iteration(job_schedule(job), parts, job.place);
}

JobProvenance job_provenance(const Scenario& scenario, const TrainingJob& job) {
  if (job.profile) return {Provenance::measured, Provenance::measured};
  const hardware::GpuProfile& gpu = scenario.clusters[job.cluster].gpu;
  const hardware::ClassWatts& watts = gpu.watts;
  JobProvenance known{Provenance::measured, Provenance::measured};
  if (gpu.training) {
    const hardware::FittedEfficiency& fitted = gpu.training->fitted;
    for (const auto kind : {fitted.gemm_derate.kind, fitted.elementwise.kind, fitted.nic.kind, fitted.host_layer_pass.kind}) {
      known.time = worst(known.time, hardware::provenance(kind));
    }
  }
  for (const auto kind : {watts.gemm_base.kind, watts.attention.kind, watts.collective.kind, watts.elementwise.kind, watts.host.kind}) {
    known.watts = worst(known.watts, hardware::provenance(kind));
  }
  return known;
}

}  // namespace joulecast::scenario
