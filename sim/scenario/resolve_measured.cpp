#include <fmt/format.h>

#include <algorithm>

#include "scenario/resolver.hpp"

namespace joulecast::scenario {

namespace {

bool answers_to(const std::string& asked, const std::string& name, const std::vector<std::string>& aliases) {
  return asked == name || std::find(aliases.begin(), aliases.end(), asked) != aliases.end();
}

std::string layout(const std::string& model, const std::string& quantization, std::int64_t gpus, const std::string& gpu, bool whole_experts) {
  return fmt::format("{}{} on {} x {}{}", model, quantization.empty() ? "" : " in " + quantization, gpus, gpu,
                     whole_experts ? " with expert parallelism" : "");
}

}  // namespace

void Resolver::measured(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu) {
  const std::string path = config::resolve_path(table.measured, table.place);
  hardware::MeasuredSteps steps;
  if (!collecting([&] { steps = hardware::load_measured_steps(path, diagnostics_); }) || diagnostics_.failed()) return;
  scenario_.inputs.push_back(path);

  const std::string quantization = pool.quantization ? std::string(llm::name(*pool.quantization)) : "";
  const bool same = answers_to(steps.model, pool.model.name, pool.model.aliases) && answers_to(steps.gpu, gpu.name, gpu.aliases) &&
                    steps.tensor_parallel_size == pool.tensor_parallel_size && steps.quantization == quantization &&
                    steps.enable_expert_parallel == pool.engine.enable_expert_parallel;
  if (!same) {
    diagnostics_.error(table.place,
                       "the measured steps in " + path + " are of " +
                           layout(steps.model, steps.quantization, steps.tensor_parallel_size, steps.gpu, steps.enable_expert_parallel) +
                           ", the pool's of " +
                           layout(pool.model.name, quantization, pool.tensor_parallel_size, gpu.name, pool.engine.enable_expert_parallel),
                       "name steps measured of the pool's model and GPUs, or leave measured out");
  }
  if (pool.engine.speculative.on() || pool.engine.data_parallel_size > 1) {
    diagnostics_.error(table.place, pool.engine.speculative.on() ? "measured steps are of decoding without drafts" : "measured steps are of one rank",
                       pool.engine.speculative.on() ? "leave measured or speculative out" : "leave measured or data_parallel_size out");
  }
  pool.measured = std::move(steps);
}

}  // namespace joulecast::scenario
