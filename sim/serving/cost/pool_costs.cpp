#include "serving/cost/pool_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "llm/layers.hpp"
#include "llm/parameters.hpp"

namespace joulecast::serving {

namespace {

constexpr double kMega = 1e6;
constexpr double kGiga = 1e9;

template <class... Figures>
double widest(const Figures&... figures) {
  return std::max({figures.error.value_or(0)...});
}

}  // namespace

OperatingPoint default_point(const hardware::GpuProfile& gpu) {
  OperatingPoint point;
  point.prefill_clock = point.decode_clock = gpu.clocks.reference.value;
  return point;
}

void check_point(const hardware::GpuProfile& gpu, const OperatingPoint& point, const Place& place) {
  std::vector<UserFault> faults;
  const double lowest = gpu.clocks.lowest.value.si(), highest = gpu.clocks.highest.value.si();
  const auto check_clock = [&](Hertz clock) {
    if (clock.si() >= lowest && clock.si() <= highest) return;
    faults.push_back({place, fmt::format("{} can't run at {:g} MHz", gpu.name, clock.si() / kMega),
                      fmt::format("give a clock of {:g} .. {:g} MHz, or \"auto\"", lowest / kMega, highest / kMega)});
  };
  check_clock(point.prefill_clock);
  if (point.decode_clock != point.prefill_clock) check_clock(point.decode_clock);
  const double least = gpu.power_limit.least.value.si(), most = gpu.power_limit.most.value.si();
  if (point.cap && !(point.cap->si() >= least && point.cap->si() <= most)) {
    faults.push_back({place, fmt::format("the power limit of {} can't be {:g} W", gpu.name, point.cap->si()),
                      fmt::format("give a limit of {:g} .. {:g} W, or \"default\"", least, most)});
  }
  if (!(point.speed_factor > 0) || !std::isfinite(point.speed_factor)) {
    faults.push_back(
        {place, fmt::format("the speed factor {} is not above 0", point.speed_factor), "give 1 for a sound GPU, 0.9 for one that is a tenth slower"});
  }
  if (!faults.empty()) throw UserError(std::move(faults));
}

CostErrors cost_errors(const hardware::GpuProfile& gpu) {
  const auto at = [](Work work) { return static_cast<std::size_t>(work); };
  CostErrors errors;
  errors.seconds[at(Work::gemm)] = widest(gpu.gemm.compute_efficiency, gpu.gemm.memory_efficiency);
  errors.seconds[at(Work::attention)] = widest(gpu.attention.memory_efficiency, gpu.attention.compute_efficiency);
  for (const auto& form : gpu.all_reduce) {
    errors.seconds[at(Work::collective)] = std::max(errors.seconds[at(Work::collective)], widest(form.alpha, form.beta));
  }
  errors.seconds[at(Work::elementwise)] = widest(gpu.elementwise_efficiency);
  errors.seconds[at(Work::host)] = widest(gpu.host.step, gpu.host.sequence, gpu.host.layer);
  errors.watts[at(Work::gemm)] = widest(gpu.watts.gemm_base, gpu.watts.gemm_slope);
  errors.watts[at(Work::attention)] = widest(gpu.watts.attention);
  errors.watts[at(Work::collective)] = widest(gpu.watts.collective);
  errors.watts[at(Work::elementwise)] = widest(gpu.watts.elementwise);
  errors.watts[at(Work::host)] = widest(gpu.watts.host);
  return errors;
}

double bottom_up_error(const hardware::GpuProfile& gpu, const llm::Architecture& model) {
  if (!model.experts) return gpu.bottom_up_error.value;
  return gpu.mixture_error ? gpu.mixture_error->value : 1;
}

Coverage bottom_up_coverage(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel) {
  EngineConfig engine;
  engine.max_model_len = model.max_position;
  const auto costs = bottom_up_costs(gpu, model, tensor_parallel, default_point(gpu), engine);
  // GEMMs carry most of a step's time and energy: the tier is theirs.
  return {worst(costs->time_provenance(Work::gemm), costs->watts_provenance(Work::gemm)), bottom_up_error(gpu, model)};
}

KvFootprint kv_footprint(const llm::Architecture& model, int tensor_parallel, const EngineConfig& engine, double bytes) {
  const double each = static_cast<double>(model.kv_bytes_per_token_per_gpu(tensor_parallel));
  KvFootprint all{each, 0};
  if (!model.local) return all;
  const llm::LayerCounts layers = llm::count_layers(model);
  const double layer = each / static_cast<double>(layers.attention);
  const std::int64_t longest = engine.max_model_len > 0 ? engine.max_model_len : model.max_position;
  // A window lies across one block more than it fills.
  const double held = static_cast<double>(std::min(longest, model.local->window + engine.block_size));
  const KvFootprint windows{layer * static_cast<double>(layers.attention - layers.local),
                            layer * static_cast<double>(layers.local) * held * static_cast<double>(engine.max_num_seqs)};
  const auto tokens = [bytes](const KvFootprint& footprint) {
    return footprint.token_bytes > 0 ? (bytes - footprint.reserved_bytes) / footprint.token_bytes : 0;
  };
  return tokens(windows) > tokens(all) ? windows : all;
}

std::int64_t kv_blocks(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel, const EngineConfig& engine,
                       double gpu_memory_utilization, const Place& place, const DraftMemory& draft) {
  llm::check_servable(model, place);
  llm::check_tensor_parallel(model, tensor_parallel, place, expert_split(engine));
  const double usable = gpu_memory_utilization * gpu.memory.value.si();
  double weights = model.weight_bytes_per_gpu(tensor_parallel) + draft.weight_bytes;
  if (engine.data_parallel_size > 1) {
    // Experts lie on the GPUs of all ranks, everything else on those of each.
    const double experts = static_cast<double>(llm::parameter_counts(model).experts) * llm::bytes(model.weights.experts) / tensor_parallel;
    weights -= experts * (1 - 1 / static_cast<double>(engine.data_parallel_size));
  }
  const double overhead =
      gpu.overhead.engine.value.si() + (tensor_parallel * engine.data_parallel_size > 1 ? gpu.overhead.collectives.value.si() : 0);
  const double left = usable - weights - overhead;
  const KvFootprint footprint = kv_footprint(model, tensor_parallel, engine, left);
  const double block = (footprint.token_bytes + draft.token_bytes) * static_cast<double>(engine.block_size);
  const double blocks = std::floor((left - footprint.reserved_bytes) / block);
  if (blocks >= 2) return static_cast<std::int64_t>(blocks);
  throw UserError(place,
                  fmt::format("{} does not fit {} x {}: {:.1f} GB of weights and {:.1f} GB of overhead a GPU leave no KV cache in {:.1f} GB ({:g} of "
                              "{:.1f} GB)",
                              model.name, tensor_parallel, gpu.name, weights / kGiga, overhead / kGiga, usable / kGiga, gpu_memory_utilization,
                              gpu.memory.value.si() / kGiga),
                  "use more GPUs (tensor_parallel_size), a GPU with more memory, or a higher gpu_memory_utilization");
}

}  // namespace joulecast::serving
