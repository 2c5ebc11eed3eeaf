#include <fmt/format.h>

#include "scenario/run.hpp"
#include "training/flops.hpp"

namespace joulecast::scenario {

namespace {

using training::kSpent;

std::string clock_text(const TrainingJob& job, const Cluster& cluster) {
  if (!job.clock_policy.empty()) return job.clock_policy_name;
  const Hertz clock = job.clock ? *job.clock : cluster.gpu.clocks.reference.value;
  return job.profile ? "as profiled" : fmt::format("{:g} MHz", clock.si() * 1e-6);
}

}  // namespace

TrainingResult Run::training_result(std::size_t index) const {
  const TrainingJob& job = scenario_.jobs[index];
  const Cluster& cluster = scenario_.clusters[job.cluster];
  const training::JobStatistics& did = jobs_[index].job->statistics();
  const JobProvenance provenance = job_provenance(scenario_, job);
  TrainingResult result;
  result.name = job.name;
  result.model = job.model_name;
  result.gpu = cluster.gpu.name;
  result.node = cluster.node.name;
  result.schedule = job.own_schedule.empty() ? std::string(training::name(job.schedule)) : "hand-written";
  result.clock = clock_text(job, cluster);
  result.watts_source = std::string(name(provenance.watts));
  result.gpus = static_cast<int>(job.gpus());
  result.layout = job.layout;
  result.iterations = did.iterations;
  result.train_iters = job.iterations;
  result.clock_plan = jobs_[index].plan->figures;
  result.plan = jobs_[index].plan;
  if (did.iterations == 0) return result;
  const auto count = static_cast<double>(did.iterations);
  const double lanes = static_cast<double>(job.layout.pipeline * job.layout.data);
  result.iteration_s = did.time.units() / count;
  result.iteration_joules = did.spent.total_energy().units() / count;
  result.tokens_per_s = static_cast<double>(job.layout.global_batch_size * job.layout.seq_length) / result.iteration_s;
  for (std::size_t i = 0; i < kSpent; ++i) {
    result.time_by_kind_s[i] = did.spent.time[i].units() / (count * lanes);
    result.energy_by_kind_joules[i] = did.spent.energy[i].units() / count;
  }
  for (const training::SpentAccount& stage : did.stages) {
    StageResult& each = result.stages.emplace_back();
    for (std::size_t i = 0; i < kSpent; ++i) {
      each.time_by_kind_s[i] = stage.time[i].units() / (count * static_cast<double>(job.layout.data));
      each.energy_by_kind_joules[i] = stage.energy[i].units() / count;
    }
  }
  if (job.model) {
    const training::Utilisation used =
        training::utilisation(training::iteration_flops(*job.model, job.layout), result.iteration_s, job.gpus(), cluster.gpu.peak_bf16.value);
    result.mfu = used.mfu;
    result.hfu = used.hfu;
  }
  return result;
}

}  // namespace joulecast::scenario
