#include "study/serving_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>

#include "hardware/profiles.hpp"
#include "llm/operations.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::study {
namespace {

// Tokens of an answer. In ml-energy/leaderboard v3 the mean answer of lm-arena-chat has 1464 at the most, that of gpqa 1560-9555.
constexpr double kLongOutput = 4000;
// The file states max_num_seqs alone, 4096 at the most. The limits here are assumed and only have to be out of the way: twice as many sequences, room for
// all their tokens in a step, contexts beyond a prompt and the longest mean answer.
constexpr std::int64_t kLongestContext = 32768, kMostSequences = 8192, kMostTokens = 16384;

/// Mean prompts of ml-energy/leaderboard v3 by task, inferred: the file holds answers only.
std::optional<double> prompt_tokens(const traces::ServingRun& run) {
  if (run.prompt_tokens) return run.prompt_tokens;
  if (run.task == "lm-arena-chat") return 400;
  if (run.task == "gpqa") return 250;
  return std::nullopt;
}

/// The position of the item of that file, loaded where it is new.
template <class T>
std::size_t position(std::vector<T>& items, const std::string& path, T (*load)(const std::string&, config::Diagnostics&)) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].file == path) return i;
  }
  config::Diagnostics diagnostics;
  items.push_back(load(path, diagnostics));
  diagnostics.throw_if_failed();
  return items.size() - 1;
}

/// Costs of all runs of a (GPU, model, layout, host load), made when the first of them is asked for.
class Costs {
 public:
  const serving::StepCosts& of(const hardware::GpuProfile& gpu, const llm::Architecture& model, const SteadyRun& run) {
    auto& made = made_[{run.gpu, run.model, run.run.gpus, run.engine.enable_expert_parallel, run.engine.host_load}];
    if (made == nullptr) made = serving::bottom_up_costs(gpu, model, run.run.gpus, serving::default_point(gpu), run.engine);
    return *made;
  }

 private:
  std::map<std::tuple<std::size_t, std::size_t, int, bool, serving::HostLoad>, std::unique_ptr<serving::StepCosts>> made_;
};

/// Operations alone: neither host nor mixture costs, and watts that no cap acts on.
hardware::GpuProfile operations_alone(hardware::GpuProfile gpu) {
  gpu.host.step.value = gpu.host.sequence.value = gpu.host.layer.value = Seconds(0);
  gpu.contention.reset();
  gpu.mixture.reset();
  auto& watts = gpu.watts;
  for (auto* each : {&watts.gemm_base, &watts.attention, &watts.collective, &watts.elementwise, &watts.host}) each->value = Watts(1);
  watts.gemm_slope.value = Watts(0);
  return gpu;
}

double gemm_flops(const llm::Architecture& model, int gpus, double tokens, double sampled, llm::ExpertSplit split) {
  const auto step =
      llm::step_operations(model, gpus, llm::cuda_graph_tokens(static_cast<std::int64_t>(tokens)), static_cast<std::int64_t>(sampled), split);
  double flops = step.lm_head.flops();
  for (const auto& each : step.gemms) flops += static_cast<double>(each.times) * each.gemm.flops();
  return flops;
}

}  // namespace

ServingRuns::ServingRuns(const std::vector<traces::ServingRun>& runs, const std::string& share) {
  std::map<std::tuple<std::string, std::string, int, bool, std::string>, std::size_t> series;
  for (const auto& run : runs) {
    if (!describe(run, share)) continue;
    const auto key = std::tuple(run.gpu, run.model, run.gpus, run.expert_parallel, run.task);
    runs_.back().series = series.try_emplace(key, series.size()).first->second;
  }
  make_rows();
}

bool ServingRuns::describe(const traces::ServingRun& run, const std::string& share) {
  const auto prompt = prompt_tokens(run);
  if (!prompt) return false;
  const auto leave_out = [&](const std::string& why) {
    const std::string text = fmt::format("{} on {} x {}: {}", run.model, run.gpus, run.gpu, why);
    if (std::find(left_out_.begin(), left_out_.end(), text) == left_out_.end()) left_out_.push_back(text);
    return false;
  };
  if (run.data_parallel > 1) return leave_out("data-parallel attention is not described");
  SteadyRun made;
  made.run = run;
  try {
    made.gpu = position(gpus_, hardware::find_profile(hardware::gpu_folder(share), "GPU", run.gpu, {}), hardware::load_gpu);
    made.model = position(models_, hardware::find_profile(hardware::model_folder(share), "model", run.model, {}), llm::load_architecture);
    const llm::Architecture& model = models_[made.model];
    llm::check_servable(model, {});
    made.engine.enable_expert_parallel = run.expert_parallel;
    llm::check_tensor_parallel(model, run.gpus, {}, serving::expert_split(made.engine));
  } catch (const UserError& error) {
    return leave_out(error.faults().front().what);
  }
  const bool shared = run.gpus == 1 && gpus_[made.gpu].contention.has_value();
  if (shared) made.engine.host_load = run.output_tokens > kLongOutput ? serving::HostLoad::shared_long_outputs : serving::HostLoad::shared;
  made.engine.max_model_len = std::min(kLongestContext, models_[made.model].max_position);
  made.engine.max_num_seqs = kMostSequences;
  made.engine.max_num_batched_tokens = kMostTokens;
  made.batch = serving::SteadyBatch::of(run.batch, *prompt, run.output_tokens);
  runs_.push_back(std::move(made));
  return true;
}

void ServingRuns::make_rows() {
  std::vector<hardware::GpuProfile> bare;
  for (const auto& gpu : gpus_) bare.push_back(operations_alone(gpu));
  Costs costs;
  const auto at = [](serving::Work work) { return static_cast<std::size_t>(work); };
  for (SteadyRun& run : runs_) {
    const auto& gpu = gpus_[run.gpu];
    const auto& model = models_[run.model];
    const auto split = serving::expert_split(run.engine);
    const serving::SteadyCost cost = steady_cost(costs.of(bare[run.gpu], model, run), run.batch);
    const double n = run.batch.sequences, decode = gemm_flops(model, run.run.gpus, n, n, split);
    const double flops = decode + cost.mixed_share * (gemm_flops(model, run.run.gpus, cost.mixed_tokens, cost.mixed_sequences, split) - decode);

    calibration::ServingRow& row = run.row;
    row.gpu = gpu.name;
    row.series = run.series;
    row.step_seconds = run.run.step_seconds();
    row.watts = run.run.watts / run.run.gpus;
    row.gemm = cost.seconds[at(serving::Work::gemm)];
    row.attention = cost.seconds[at(serving::Work::attention)];
    row.collective = cost.seconds[at(serving::Work::collective)];
    row.elementwise = cost.seconds[at(serving::Work::elementwise)];
    row.gemm_utilisation = flops / (row.gemm * gpu.peak_bf16.value.si());
    row.sequences = cost.scheduled;
    row.layers = static_cast<double>(model.layers);
    row.shared_host = run.engine.host_load != serving::HostLoad::exclusive;
    row.long_outputs = run.engine.host_load == serving::HostLoad::shared_long_outputs;
    row.power_limit = gpu.power_limit.standard.value.si();
    if (!model.experts) continue;
    row.expert_layers = static_cast<double>(llm::step_operations(model, run.run.gpus, 1, 1, split).expert_layers);
    row.visits = row.expert_layers * cost.tokens * static_cast<double>(model.experts->per_token);
    row.quantized_layers = model.weights.linear == llm::DataType::fp8 ? row.layers : 0;
    row.top1 = model.experts->per_token == 1;
  }
}

std::vector<calibration::ServingRow> ServingRuns::rows(std::span<const std::size_t> which) const {
  std::vector<calibration::ServingRow> rows;
  for (const std::size_t i : which) rows.push_back(runs_[i].row);
  return rows;
}

std::vector<serving::SteadyCost> ServingRuns::predict(const calibration::ServingFit& fit, std::span<const std::size_t> which) const {
  std::map<std::size_t, hardware::GpuProfile> fitted;
  Costs costs;
  std::vector<serving::SteadyCost> predicted;
  for (const std::size_t i : which) {
    const SteadyRun& run = runs_[i];
    const auto known = fitted.find(run.gpu);
    const auto& gpu = known != fitted.end() ? known->second : fitted.emplace(run.gpu, with_fit(gpus_[run.gpu], fit)).first->second;
    predicted.push_back(steady_cost(costs.of(gpu, models_[run.model], run), run.batch));
  }
  return predicted;
}

}  // namespace joulecast::study
