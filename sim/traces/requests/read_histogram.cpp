#include <fmt/format.h>

#include <array>
#include <limits>

#include "config/record.hpp"
#include "traces/requests/length_histogram.hpp"

namespace joulecast::traces {
namespace {

constexpr const char* kRemedy = "make the file again with tools/make-length-histogram";

/// A length histogram as its file has it.
struct HistogramFile {
  std::int64_t schema = 1;
  std::string title, source, licence, made_by;
  std::int64_t requests = 0, input_tokens = 0, output_tokens = 0;
  double mean_input = 0, mean_output = 0, burstiness = 0;
  std::optional<Hertz> request_rate;
  std::vector<LengthHistogram::Cell> cells;
};

/// [count, least, most and sum of the input tokens, the same of the output tokens].
std::optional<LengthHistogram::Cell> read_cell(const config::Node& node) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto* array = node.as<config::Node::Array>();
  if (array == nullptr || array->size() != 7) return std::nullopt;
  std::array<std::int64_t, 7> v{};
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto* number = (*array)[i].as<std::int64_t>();
    if (number == nullptr || *number < 1) return std::nullopt;
    v[i] = *number;
  }
  if (v[0] > kMost || v[2] > kMost || v[5] > kMost) return std::nullopt;
  for (const std::size_t least : {1U, 4U}) {
    if (v[least] > v[least + 1] || v[least + 2] < v[0] * v[least] || v[least + 2] > v[0] * v[least + 1]) return std::nullopt;
  }
  using Axis = LengthHistogram::Axis;
  const auto narrow = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  return LengthHistogram::Cell{v[0], Axis{narrow(v[1]), narrow(v[2]), v[3]}, Axis{narrow(v[4]), narrow(v[5]), v[6]}};
}

void read_cells(HistogramFile& file, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto* array = node.as<config::Node::Array>();
  if (array == nullptr || array->empty()) {
    diagnostics.error(node.place(), "cells must be a list with at least one cell", kRemedy);
    return;
  }
  for (const config::Node& entry : *array) {
    if (auto cell = read_cell(entry)) {
      file.cells.push_back(*cell);
    } else {
      diagnostics.error(entry.place(),
                        "a cell is not seven whole numbers [count, least, most, sum of input, least, most, sum of output] with "
                        "1 <= least <= most and count * least <= sum <= count * most",
                        kRemedy);
    }
  }
}

void check_totals(const HistogramFile& file, const Place& place, config::Diagnostics& diagnostics) {
  std::int64_t requests = 0;
  std::int64_t input = 0, output = 0;
  for (const auto& cell : file.cells) {
    if (__builtin_add_overflow(requests, cell.count, &requests) || __builtin_add_overflow(input, cell.input.sum, &input) ||
        __builtin_add_overflow(output, cell.output.sum, &output)) {
      diagnostics.error(place, "the cells' totals are too large", kRemedy);
      return;
    }
  }
  if (requests == file.requests && input == file.input_tokens && output == file.output_tokens) return;
  diagnostics.error(place,
                    fmt::format("the cells hold {} requests, {} input and {} output tokens, the file says {}, {} and {}", requests, input, output,
                                file.requests, file.input_tokens, file.output_tokens),
                    kRemedy);
}

config::Record<HistogramFile> histogram_record() {
  using config::Bounds;
  config::Record<HistogramFile> record("length histogram");
  record.required("schema", &HistogramFile::schema, Bounds::between(1, 1), "version of this form");
  record.required("title", &HistogramFile::title, Bounds::any(), "what the requests are");
  record.required("source", &HistogramFile::source, Bounds::any(), "where the trace is published");
  record.required("licence", &HistogramFile::licence, Bounds::any(), "of the trace");
  record.required("made_by", &HistogramFile::made_by, Bounds::any(), "what worked the figures out");
  record.required("requests", &HistogramFile::requests, Bounds::positive(), "requests of the trace");
  record.required("input_tokens", &HistogramFile::input_tokens, Bounds::positive(), "their sum");
  record.required("output_tokens", &HistogramFile::output_tokens, Bounds::positive(), "their sum");
  record.required("mean_input", &HistogramFile::mean_input, Bounds::positive(), "tokens a request");
  record.required("mean_output", &HistogramFile::mean_output, Bounds::positive(), "tokens a request");
  record.optional("request_rate", &HistogramFile::request_rate, "", Bounds::positive(), "mean arrivals a second of the trace");
  record.optional("burstiness", &HistogramFile::burstiness, "", Bounds::not_negative(), "mean^2 / variance of the gaps between arrivals");
  record.custom("cells", "list of cells", "", "[count, least, most, sum of input tokens, least, most, sum of output tokens]", read_cells, true);
  record.check(check_totals);
  return record;
}

}  // namespace

LengthHistogram LengthHistogram::read(const std::string& path) { return read(config::parse_file(path)); }

LengthHistogram LengthHistogram::read(const config::Node& root) {
  config::Diagnostics diagnostics;
  HistogramFile file = histogram_record().read(root, diagnostics);
  diagnostics.throw_if_failed();
  Facts facts{std::move(file.title), std::move(file.source), std::move(file.licence), file.request_rate, std::nullopt};
  if (file.burstiness > 0) facts.burstiness = file.burstiness;
  return LengthHistogram(std::move(file.cells), std::move(facts));
}

}  // namespace joulecast::traces
