#include "validation/vtrain_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "traces/delimited.hpp"

namespace joulecast::validation {

namespace {

double number(traces::Delimited& rows, std::size_t column) {
  const auto text = rows.cell(column);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) rows.refuse(column, "a number", "repair the row", false);
  return value;
}

auto order(const VtrainJob& job) {
  const auto& l = job.layout;
  return std::tuple(job.hidden, l.tensor, l.pipeline, l.data, l.micro_batch_size, job.layers, l.global_batch_size);
}

}  // namespace

llm::Architecture VtrainJob::model() const {
  llm::Architecture model;
  model.name = fmt::format("GPT of {} layers of {}", layers, hidden);
  model.layers = layers;
  model.hidden = hidden;
  model.heads = model.kv_heads = heads;
  model.head_dim = hidden / heads;
  model.ffn = 4 * hidden;
  model.vocab = 50257;
  model.gated = false;
  model.tied = true;
  model.dtype = llm::DataType::fp16;
  model.norm = llm::Norm::layer;
  model.positions = llm::Positions::learned;
  model.learned_positions = model.max_position = layout.seq_length;
  return model;
}

std::string VtrainJob::text() const {
  return fmt::format("h{} L{} t{} p{} d{} b{}", hidden, layers, layout.tensor, layout.pipeline, layout.data, layout.micro_batch_size);
}

std::vector<VtrainJob> read_vtrain(const std::string& path) {
  enum : std::size_t { global, micro, hidden, heads, layers, length, tensor, data, pipeline, milliseconds };
  traces::Delimited rows(traces::TextLines(path), {{{"global batch"}},
                                                   {{"micro batch"}},
                                                   {{"hidden size"}},
                                                   {{"attention heads"}},
                                                   {{"# layers"}},
                                                   {{"sequence length"}},
                                                   {{"tensor parallelism"}},
                                                   {{"data parallelism"}},
                                                   {{"pipeline parallelism"}},
                                                   {{"iteration time (ms)"}}});
  std::vector<VtrainJob> jobs;
  while (rows.next()) {
    const auto whole = [&](std::size_t column) { return static_cast<std::int64_t>(number(rows, column)); };
    VtrainJob job;
    job.hidden = whole(hidden);
    job.heads = whole(heads);
    job.layers = whole(layers);
    job.layout.tensor = whole(tensor);
    job.layout.pipeline = whole(pipeline);
    job.layout.data = whole(data);
    job.layout.global_batch_size = whole(global);
    job.layout.micro_batch_size = whole(micro);
    job.layout.seq_length = whole(length);
    job.layout.flash_attention = false;
    job.layout.recompute = training::Recompute::full;
    job.seconds = number(rows, milliseconds) / 1e3;
    jobs.push_back(std::move(job));
  }
  std::sort(jobs.begin(), jobs.end(), [](const VtrainJob& a, const VtrainJob& b) { return order(a) < order(b); });
  return jobs;
}

}  // namespace joulecast::validation
