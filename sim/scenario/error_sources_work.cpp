#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hardware/forms.hpp"
#include "scenario/error_source_list.hpp"
#include "scenario/spread.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::scenario {

namespace {

using serving::Work;

/// What people call a class, and the figures that state its errors.
struct ClassKeys {
  const char *words, *seconds, *watts;
};
constexpr std::array<ClassKeys, serving::kWorks> kKeys{
    {{"GEMM", "gemm.compute_efficiency, gemm.memory_efficiency", "class_watts.gemm_base, class_watts.gemm_slope"},
     {"attention", "attention.memory_efficiency, attention.compute_efficiency", "class_watts.attention"},
     {"collectives", "all_reduce.alpha, all_reduce.beta", "class_watts.collective"},
     {"elementwise", "elementwise_efficiency", "class_watts.elementwise"},
     {"host gap", "host_cost.step, host_cost.sequence, host_cost.layer", "class_watts.host"}}};

std::string batches_remedy(const std::string& gpu, const std::string& pool) {
  return fmt::format(
      "measure steps of this model: `joulecast record --plan batch-sweep --base \"{}\"`, `joulecast calibrate fit LOG --model ..`, then measured = "
      "\"measured.toml\" in [pool.{}]",
      gpu, pool);
}

std::size_t slot_of(const std::string& work) {
  for (std::size_t w = 0; w < serving::kWorks; ++w) {
    if (serving::name(static_cast<Work>(w)) == work) return w;
  }
  JOULECAST_BUG("the ledger has a class that serving does not know: " + work);
}

/// The widest error of a GPU's collectives in a node.
double collective_error(const hardware::GpuProfile& gpu) {
  double error = 0;
  for (const auto& form : gpu.all_reduce) error = std::max({error, form.alpha.error.value_or(0), form.beta.error.value_or(0)});
  return error;
}

}  // namespace

void add_pool_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t p, const metering::PoolAccount& account) {
  const Pool& pool = scenario.pools[p];
  const hardware::GpuProfile& gpu = scenario.clusters[pool.cluster].gpu;
  const serving::CostErrors errors = serving::cost_errors(gpu);
  const double widen = widening(scenario, pool, account);
  for (const metering::ClassAccount& spent : account.classes) {
    const std::size_t w = slot_of(spent.name);
    const auto add = [&](const char* what, const char* key, double error, auto factors) {
      list.add({fmt::format("{} {} {}", gpu.name, kKeys[w].words, what), shown_file(gpu.file), key, error, widen * error,
                batches_remedy(gpu.name, pool.name), [p, w, factors, wide = widen * error](Scenario& drawn, double normal) {
                  (drawn.pools[p].drawn.*factors)[w] *= drawn_factor(wide, normal);
                }});
    };
    add("watts", kKeys[w].watts, errors.watts[w], &serving::ClassFactors::watts);
    add("time", kKeys[w].seconds, errors.seconds[w], &serving::ClassFactors::seconds);
  }
}

void add_job_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t j) {
  const TrainingJob& job = scenario.jobs[j];
  const hardware::GpuProfile& gpu = scenario.clusters[job.cluster].gpu;
  const std::string stages = "measure the job's stages at the clocks that exist (docs/measuring.md) and name the table in the job's stage_profile";
  list.add({gpu.name + " training watts", shown_file(gpu.file), "bottom_up_error", gpu.bottom_up_error.value, gpu.bottom_up_error.value,
            job.profile ? "measure the job's nodes beside the stages: `joulecast calibrate compare` takes the log of a run" : stages,
            [j, e = gpu.bottom_up_error.value](Scenario& drawn, double normal) { drawn.jobs[j].drawn_watts *= drawn_factor(e, normal); }});
  if (job.profile) return;
  if (job.gpus() > 1) {
    const double error = collective_error(gpu);
    list.add({gpu.name + " training collectives", shown_file(gpu.file), "all_reduce.alpha, all_reduce.beta", error, error,
              fmt::format("run nccl-tests on it, then `joulecast calibrate ops --gpu-name \"{}\" --allreduce GPUS=FILE`", gpu.name),
              [j, error](Scenario& drawn, double normal) { drawn.jobs[j].drawn_collectives *= drawn_factor(error, normal); }});
  }
}

}  // namespace joulecast::scenario
