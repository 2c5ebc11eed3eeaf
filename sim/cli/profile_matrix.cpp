#include "cli/profile_matrix.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "hardware/forms.hpp"
#include "hardware/layer_table.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::cli {
namespace {

constexpr std::int64_t kParallel[] = {1, 2, 4, 8};
constexpr double kUtilization = 0.9;

/// Model and tensor parallelism of each layer table that a profile names.
std::vector<hardware::LayerTable::About> layer_tables(const hardware::GpuProfile& gpu) {
  std::vector<hardware::LayerTable::About> tables;
  for (const std::string& path : gpu.tables.layers) {
    if (!std::filesystem::is_directory(path)) tables.push_back(hardware::read_layer_knots_file(path).about());
  }
  return tables;
}

MatrixCell cell(const hardware::GpuProfile& gpu, const llm::Architecture& model, std::int64_t parallel,
                const std::vector<hardware::LayerTable::About>& layers) {
  MatrixCell made{parallel, false, "", false, serving::bottom_up_error(gpu, model)};
  const int t = static_cast<int>(parallel);
  try {
    serving::kv_blocks(gpu, model, t, serving::EngineConfig{}, kUtilization, {});
    made.serves = t == 1 || hardware::find_all_reduce(gpu, parallel) != nullptr;
    if (!made.serves) made.why_not = "the profile has no all-reduce of so many GPUs";
  } catch (const UserError& error) {
    made.why_not = error.faults().front().what;
  }
  made.layers_measured = std::any_of(layers.begin(), layers.end(), [&](const auto& about) {
    const bool same = about.model == model.name || std::find(model.aliases.begin(), model.aliases.end(), about.model) != model.aliases.end();
    return same && about.tensor_parallel == parallel;
  });
  return made;
}

}  // namespace

std::vector<MatrixRow> profile_matrix(const std::vector<hardware::GpuProfile>& gpus, const std::vector<llm::Architecture>& models) {
  std::vector<MatrixRow> rows;
  for (const auto& gpu : gpus) {
    const auto layers = layer_tables(gpu);
    for (const auto& model : models) {
      MatrixRow row{gpu.name, model.name, hardware::tier(gpu), {}};
      for (const std::int64_t parallel : kParallel) row.cells.push_back(cell(gpu, model, parallel, layers));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace joulecast::cli
