#include "traces/power/serving_runs.hpp"

#include <cstddef>
#include <utility>

#include "base/error.hpp"
#include "traces/delimited.hpp"
#include "traces/power/number_cells.hpp"

namespace joulecast::traces {
namespace {

enum Wanted : std::size_t { model, gpu, count, batch, output, power, throughput, task, experts, data, prompts };

}  // namespace

std::vector<ServingRun> read_serving_runs(TextLines lines) {
  Delimited rows(std::move(lines), {{{"model_id", "model"}},
                                    {{"gpu_model", "gpu"}},
                                    {{"num_gpus", "gpus"}},
                                    {{"avg_batch_size", "batch"}},
                                    {{"avg_output_len", "output_tokens"}},
                                    {{"avg_power_watts", "watts"}},
                                    {{"output_throughput_tokens_per_sec", "tokens_per_s"}},
                                    {{"task"}, false},
                                    {{"par_expert_parallel", "expert_parallel"}, false},
                                    {{"par_data_parallel", "data_parallel"}, false},
                                    {{"prompt_tokens", "avg_input_len"}, false}});
  std::vector<ServingRun> runs;
  while (rows.next()) {
    ServingRun run;
    run.model = rows.cell(model);
    run.gpu = rows.cell(gpu);
    if (rows.has(task)) run.task = rows.cell(task);
    const auto gpus = positive_cell(rows, count, "a number of GPUs");
    const auto sequences = positive_cell(rows, batch, "a mean number of sequences");
    const auto tokens = positive_cell(rows, output, "a mean number of output tokens");
    const auto watts = positive_cell(rows, power, "a mean power in watts");
    const auto rate = positive_cell(rows, throughput, "output tokens a second");
    if (!gpus || !sequences || !tokens || !watts || !rate) break;
    run.gpus = static_cast<int>(*gpus);
    run.batch = *sequences;
    run.output_tokens = *tokens;
    run.watts = *watts;
    run.tokens_per_second = *rate;
    if (rows.has(experts)) run.expert_parallel = positive_cell(rows, experts, "an expert parallelism").value_or(1) > 1;
    if (rows.has(data)) run.data_parallel = static_cast<int>(positive_cell(rows, data, "a data parallelism").value_or(1));
    if (rows.has(prompts)) run.prompt_tokens = positive_cell(rows, prompts, "a mean number of prompt tokens");
    runs.push_back(std::move(run));
  }
  if (rows.torn()) throw UserError(rows.line_place(), "the last row is cut off", "finish the row, or delete it");
  if (runs.empty()) throw UserError({rows.line_place().file, 0, 0}, "a table without rows", "it needs a row a batch");
  return runs;
}

}  // namespace joulecast::traces
