#include "validation/steady_decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <vector>

#include "hardware/profiles.hpp"
#include "serving/cost/pool_costs.hpp"
#include "traces/delimited.hpp"

namespace joulecast::validation {

namespace {

constexpr int kGpus = 4;
constexpr const char* kModel = "meta-llama/Llama-3.1-70B-Instruct";

/// Mean prompt of the lm-arena-chat task, inferred from the runs' first tokens.
constexpr double kArenaPromptTokens = 400;

struct PublishedRow {
  double batch, output_tokens, watts, joules_per_token, itl_ms, tokens_per_second;
};

double number(traces::Delimited& rows, std::size_t column) {
  const auto text = rows.cell(column);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) rows.refuse(column, "a number", "repair the row", false);
  return value;
}

std::vector<PublishedRow> read_rows(const std::string& path) {
  enum : std::size_t { model, task, gpu, count, batch, output, watts, joules, itl, throughput };
  traces::Delimited rows(traces::TextLines(path), {{{"model_id"}},
                                                   {{"task"}},
                                                   {{"gpu_model"}},
                                                   {{"num_gpus"}},
                                                   {{"avg_batch_size"}},
                                                   {{"avg_output_len"}},
                                                   {{"avg_power_watts"}},
                                                   {{"energy_per_token_joules"}},
                                                   {{"median_itl_ms"}},
                                                   {{"output_throughput_tokens_per_sec"}}});
  std::vector<PublishedRow> found;
  while (rows.next()) {
    if (rows.cell(model) != kModel || rows.cell(task) != "lm-arena-chat" || rows.cell(gpu) != "H100") continue;
    if (number(rows, count) != kGpus) continue;
    found.push_back(
        {number(rows, batch), number(rows, output), number(rows, watts), number(rows, joules), number(rows, itl), number(rows, throughput)});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
  return found;
}

template <class T>
T shipped(T (*load)(const std::string&, config::Diagnostics&), const std::string& path) {
  config::Diagnostics diagnostics;
  T value = load(path, diagnostics);
  diagnostics.throw_if_failed();
  return value;
}

}  // namespace

SteadyStep steady_decode(const serving::StepCosts& costs, int gpus, const SteadyLoad& load) {
  using serving::Phase;
  const auto context = static_cast<std::int64_t>(std::llround(load.batch * load.mean_context()));
  const auto& segment = costs.decode(Phase::decode, load.batch, context);
  const double decode_seconds = (segment.base_seconds + context * segment.attention_seconds_per_context).units();
  const double decode_joules = (segment.base_joules + context * segment.attention_joules_per_context).units();

  // A step gives `batch` tokens, so batch/output_tokens requests end in it and as many prompts come in.
  const double prompts = load.batch / load.output_tokens;
  const auto whole = std::max<std::int64_t>(1, std::llround(prompts));
  const std::vector<serving::Chunk> chunks(static_cast<std::size_t>(whole), serving::Chunk{std::llround(load.prompt_tokens), 0});
  const double share = prompts / static_cast<double>(whole);
  const auto mixed = costs.mixed(Phase::decode, chunks, load.batch, context);

  SteadyStep step;
  step.decode_seconds = decode_seconds;
  step.mixed_share = std::min(1.0, share);
  step.mean_seconds = decode_seconds + step.mixed_share * (mixed.total_seconds().units() - decode_seconds);
  const double joules = decode_joules + step.mixed_share * (mixed.total_joules().units() - decode_joules);
  step.decode_watts = decode_joules / decode_seconds / gpus;
  step.watts = joules / step.mean_seconds / gpus;
  step.joules_per_token = joules / load.batch;
  return step;
}

std::string steady_decode_table(const Sources& sources) {
  const auto file = std::filesystem::path(sources.data) / "serving/ml-energy/llm_configs.csv";
  if (sources.data.empty() || !std::filesystem::exists(file)) return "";

  const auto gpu = shipped(hardware::load_gpu, hardware::find_profile(hardware::gpu_folder(sources.share), "GPU", "H100 SXM", {}));
  const auto model = shipped(llm::load_architecture, hardware::find_profile(hardware::model_folder(sources.share), "model", kModel, {}));
  const auto rows = read_rows(file.string());
  serving::EngineConfig engine;
  for (const auto& row : rows) engine.max_num_seqs = std::max<std::int64_t>(engine.max_num_seqs, 2 * std::llround(row.batch));
  engine.max_model_len = std::min<std::int64_t>(32768, model.max_position);
  const auto costs = serving::bottom_up_costs(gpu, model, kGpus, serving::default_point(gpu), engine);

  std::string text = fmt::format(
      "No evidence, since the class watts of {} were calibrated on these runs: {} TP{}, bottom-up beside ml-energy v3\n"
      "(lm-arena-chat, prompts of {:g} tokens; context = prompt + half the output; published, ours, off by)\n",
      gpu.name, model.name, kGpus, kArenaPromptTokens);
  text += fmt::format("{:>6} {:>7} | {:<25} | {:<25} | {:<25} | {:<25}\n", "batch", "context", "decode step, median ITL ms",
                      "mean step, prompts in, ms", "W a GPU", "J a token");
  for (const auto& row : rows) {
    const SteadyLoad load{static_cast<int>(std::lround(row.batch)), kArenaPromptTokens, row.output_tokens};
    const auto step = steady_decode(*costs, kGpus, load);
    const auto beside = [&text](double theirs, double ours, int digits) {
      text += fmt::format(" | {:>8.{}f} {:>8.{}f} {:>+6.1f}%", theirs, digits, ours, digits, 100 * (ours / theirs - 1));
    };
    text += fmt::format("{:>6.1f} {:>7.0f}", row.batch, load.mean_context());
    beside(row.itl_ms, 1e3 * step.decode_seconds, 2);
    beside(1e3 * row.batch / row.tokens_per_second, 1e3 * step.mean_seconds, 2);
    beside(row.watts / kGpus, step.watts, 0);
    beside(row.joules_per_token, step.joules_per_token, 3);
    text += '\n';
  }
  return text;
}

}  // namespace joulecast::validation
