#include "serving/cost/steady_decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "serving/cost/pool_costs.hpp"
#include "traces/delimited.hpp"

namespace joulecast::serving {

namespace {

/// Mean prompt of the lm-arena-chat task, inferred from the runs' first tokens.
constexpr double kArenaPromptTokens = 400;

struct PublishedRow {
  double batch, output_tokens, watts, joules_per_token, itl_ms, tokens_per_second;
  int gpus;
};

double number(traces::Delimited& rows, std::size_t column) {
  const auto text = rows.cell(column);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) rows.refuse(column, "a number", "repair the row", false);
  return value;
}

std::vector<PublishedRow> read_rows(const std::string& path, const std::string& gpu_model, const std::string& model_id, int gpus) {
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
    if (rows.cell(model) != model_id || rows.cell(task) != "lm-arena-chat" || rows.cell(gpu) != gpu_model) continue;
    const int have = static_cast<int>(number(rows, count));
    if (have != gpus) continue;
    found.push_back(
        {number(rows, batch), number(rows, output), number(rows, watts), number(rows, joules), number(rows, itl), number(rows, throughput), have});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
  return found;
}

double percent(double ours, double theirs) { return 100 * (ours / theirs - 1); }

}  // namespace

SteadyStep steady_decode(const StepCosts& costs, int gpus, const SteadyLoad& load) {
  const auto context = static_cast<std::int64_t>(std::llround(load.batch * load.mean_context()));
  const auto& segment = costs.decode(Phase::decode, load.batch, context);
  const double decode_seconds = (segment.base_seconds + context * segment.attention_seconds_per_context).units();
  const double decode_joules = (segment.base_joules + context * segment.attention_joules_per_context).units();

  // A step gives `batch` tokens, so batch/output_tokens requests end in it and as many prompts come in.
  const double prompts = load.batch / load.output_tokens;
  const auto whole = std::max<std::int64_t>(1, std::llround(prompts));
  const std::vector<Chunk> chunks(static_cast<std::size_t>(whole), Chunk{std::llround(load.prompt_tokens), 0});
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

std::string published_decode_table(const std::string& csv_path, const std::string& gpu_model, const std::string& model_id,
                                   const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel) {
  const auto rows = read_rows(csv_path, gpu_model, model_id, tensor_parallel);
  EngineConfig engine;
  engine.max_num_seqs = 2048;
  engine.max_model_len = std::min<std::int64_t>(32768, model.max_position);
  const auto costs = bottom_up_costs(gpu, model, tensor_parallel, default_point(gpu), engine);
  std::string text =
      fmt::format("{} TP{} on {}: bottom-up beside ml-energy v3 (lm-arena-chat, prompts of {:g} tokens; context = prompt + half the output)\n",
                  model.name, tensor_parallel, gpu.name, kArenaPromptTokens);
  text += fmt::format("{:>6} {:>7} | {:<25} | {:<25} | {:<25} | {:<25}\n", "batch", "context", "decode step, median ITL ms",
                      "mean step, prompts in, ms", "W a GPU", "J a token");
  for (const auto& row : rows) {
    const SteadyLoad load{static_cast<int>(std::lround(row.batch)), kArenaPromptTokens, row.output_tokens};
    const auto step = steady_decode(*costs, tensor_parallel, load);
    const auto beside = [&text](double theirs, double ours, int digits) {
      text += fmt::format(" | {:>8.{}f} {:>8.{}f} {:>+6.1f}%", theirs, digits, ours, digits, percent(ours, theirs));
    };
    text += fmt::format("{:>6.1f} {:>7.0f}", row.batch, load.mean_context());
    beside(row.itl_ms, 1e3 * step.decode_seconds, 2);
    beside(1e3 * row.batch / row.tokens_per_second, 1e3 * step.mean_seconds, 2);
    beside(row.watts / row.gpus, step.watts, 0);
    beside(row.joules_per_token, step.joules_per_token, 3);
    text += '\n';
  }
  return text;
}

}  // namespace joulecast::serving
