#include "scenario/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "hardware/layer_table.hpp"
#include "serving/cost/layer_costs.hpp"
#include "serving/cost/pool_costs.hpp"
#include "serving/cost/speculative_costs.hpp"
#include "serving/measured_residual.hpp"

namespace joulecast::scenario {

namespace {

/// The layer table of the pool's model at its tensor parallelism, if the profile names one. A folder of published times says of itself neither: it is taken
/// to be what it was named for.
std::optional<hardware::LayerTable> layer_table(const hardware::GpuProfile& gpu, const Pool& pool) {
  if (pool.quantization) return std::nullopt;
  for (const std::string& path : gpu.tables.layers) {
    if (std::filesystem::is_directory(path)) return hardware::read_layer_folder(path);
    hardware::LayerTable table = hardware::read_layer_knots_file(path);
    const auto& aliases = pool.model.aliases;
    const bool same_model = table.about().model == pool.model.name || std::find(aliases.begin(), aliases.end(), table.about().model) != aliases.end();
    if (same_model && table.about().tensor_parallel == pool.tensor_parallel_size) return table;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t kv_block_bytes(const Pool& pool) {
  std::int64_t token = pool.model.kv_bytes_per_token_per_gpu(pool.tensor_parallel_size);
  if (pool.draft) token += pool.draft->kv_bytes_per_token_per_gpu(pool.tensor_parallel_size);
  return pool.engine.block_size * pool.tensor_parallel_size * token;
}

serving::OperatingPoint operating_point(const Scenario& scenario, const Pool& pool) {
  serving::OperatingPoint point = serving::default_point(scenario.clusters[pool.cluster].gpu);
  if (pool.prefill_clock) point.prefill_clock = *pool.prefill_clock;
  if (pool.decode_clock) point.decode_clock = *pool.decode_clock;
  if (pool.power_limit) point.cap = pool.power_limit;
  point.speed_factor = pool.speed_factor;
  return point;
}

namespace {

std::unique_ptr<serving::StepCosts> model_costs(const Scenario& scenario, const Pool& pool) {
  const hardware::GpuProfile& gpu = scenario.clusters[pool.cluster].gpu;
  const auto table = layer_table(gpu, pool);
  const auto costs = [&](const serving::OperatingPoint& point, const serving::EngineConfig& engine, const hardware::ServingResidual& residual) {
    if (table) return serving::layer_table_costs(*table, gpu, pool.model, pool.tensor_parallel_size, point, engine, residual, pool.drawn);
    return serving::bottom_up_costs(gpu, pool.model, pool.tensor_parallel_size, point, engine, residual, pool.drawn);
  };
  hardware::ServingResidual residual;
  if (pool.measured) {
    residual =
        serving::measured_residual(*pool.measured, gpu, pool.engine, [&](const auto& point, const auto& engine) { return costs(point, engine, {}); });
  }
  return costs(operating_point(scenario, pool), pool.engine, residual);
}

}  // namespace

std::unique_ptr<serving::StepCosts> pool_costs(const Scenario& scenario, const Pool& pool) {
  auto costs = model_costs(scenario, pool);
  if (!pool.engine.speculative.on()) return costs;
  std::unique_ptr<serving::StepCosts> draft;
  if (pool.draft) {
    serving::EngineConfig engine = pool.engine;
    engine.speculative = {};
    draft = serving::bottom_up_costs(scenario.clusters[pool.cluster].gpu, *pool.draft, pool.tensor_parallel_size, operating_point(scenario, pool),
                                     engine, {}, pool.drawn);
  }
  return serving::speculative_costs(std::move(costs), std::move(draft), pool.engine.speculative.num_speculative_tokens);
}

std::string clock_text(const Scenario& scenario, const Pool& pool) {
  const serving::OperatingPoint point = operating_point(scenario, pool);
  const double prefill = point.prefill_clock.si() * 1e-6, decode = point.decode_clock.si() * 1e-6;
  if (prefill == decode) return fmt::format("{:g} MHz", prefill);
  return fmt::format("{:g} MHz prefill, {:g} MHz decode", prefill, decode);
}

}  // namespace joulecast::scenario
