#include "traces/requests/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "traces/requests/formats.hpp"

namespace joulecast::traces {
namespace {

using Names = std::vector<std::string>;

/// A key that takes one of a few words.
template <class S>
void one_of(config::Record<S>& record, const std::string& key, std::string S::*member, const Names& words, const std::string& default_text,
            const std::string& text, bool required = false) {
  auto read = [key, member, words](S& options, const config::Node& node, config::Diagnostics& diagnostics) {
    const auto* word = node.as<std::string>();
    if (word != nullptr && std::find(words.begin(), words.end(), *word) != words.end()) {
      options.*member = *word;
      return;
    }
    const std::string near = word == nullptr ? "" : config::nearest(*word, words);
    diagnostics.error(node.place(),
                      word == nullptr ? fmt::format("{} is {}, expected one of {}", key, node.kind(), fmt::join(words, " | "))
                                      : fmt::format("{} = \"{}\", expected one of {}", key, *word, fmt::join(words, " | ")),
                      near.empty() ? "write one of these words" : fmt::format("is \"{}\" meant?", near));
  };
  record.custom(key, fmt::format("one of {}", fmt::join(words, " | ")), default_text, text, std::move(read), required);
}

void read_format(TraceOptions& options, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto* word = node.as<std::string>();
  if (word == nullptr) {
    diagnostics.error(node.place(), fmt::format("format is {}, expected a string", node.kind()),
                      fmt::format("write one of {}", fmt::join(trace_formats(), ", ")));
    return;
  }
  options.format = *word;
  if (auto fault = check_format(*word, node.place())) diagnostics.error(fault->place, fault->what, fault->remedy);
}

void check_mapping(const TraceOptions& options, const Place& place, config::Diagnostics& diagnostics) {
  if (options.format == "csv") {
    if (!options.columns) {
      diagnostics.error(place, "format \"csv\" without columns", "add columns = { arrival = \"...\", input = \"...\", output = \"...\" }");
    }
    if (options.time_unit.empty()) {
      diagnostics.error(place, "format \"csv\" without time_unit", "add time_unit = \"s\", \"ms\", \"us\", \"ns\" or \"datetime\"");
    }
  } else if (options.columns || !options.time_unit.empty()) {
    diagnostics.error(place, fmt::format("columns and time_unit belong to format \"csv\", not to \"{}\"", options.format),
                      "leave them out, or write format = \"csv\"");
  }
}

}  // namespace

config::Record<TraceOptions> trace_record() {
  using config::Bounds;
  config::Record<TraceColumns> columns("columns of a plain CSV");
  columns.required("arrival", &TraceColumns::arrival, Bounds::any(), "header of the column with the time of arrival");
  columns.required("input", &TraceColumns::input, Bounds::any(), "header of the column with the prompt's tokens");
  columns.required("output", &TraceColumns::output, Bounds::any(), "header of the column with the generated tokens");

  config::Record<TraceOptions> record("request trace");
  record.place(&TraceOptions::place);
  record.required("file", &TraceOptions::file, Bounds::any(), "the trace; a relative path starts at the folder of this file");
  record.custom("format", fmt::format("one of {}", fmt::join(trace_formats(), " | ")), "", "the trace's format", read_format, true);
  record.table("columns", &TraceOptions::columns, columns, "which columns hold what, with format \"csv\"");
  one_of(record, "time_unit", &TraceOptions::time_unit, {"s", "ms", "us", "ns", "datetime"}, "", "unit of the arrival column, with format \"csv\"");
  record.optional("rebase", &TraceOptions::rebase, "true", Bounds::any(), "whether the first arrival becomes t = 0");
  record.optional("repeat", &TraceOptions::repeat, "false", Bounds::any(),
                  "the trace again and again; a round lasts from the first to the last arrival and one mean gap more");
  one_of(record, "zero_tokens", &TraceOptions::zero_tokens, {"error", "drop", "keep"}, "\"error\"",
         "rows with no input or no output tokens (BurstGPT writes 0 for a failed request): left out, or taken for 1 token; both are counted");
  one_of(record, "torn_last_row", &TraceOptions::torn_last_row, {"error", "drop"}, "\"error\"",
         "a last row that was cut off, as in a log of a program that was killed; drops are counted");
  record.optional("limit", &TraceOptions::limit, "", Bounds::between(1, static_cast<double>(std::numeric_limits<std::int64_t>::max())),
                  "reads no further than this many requests");
  record.optional("offset", &TraceOptions::offset, "\"0 s\"", Bounds::between(-1e9, 1e9), "added to every arrival");
  record.check(check_mapping);
  return record;
}

config::Record<Resample> resample_record() {
  using config::Bounds;
  config::Record<Resample> record("resample");
  record.place(&Resample::place)
      .optional("blocks", &Resample::blocks, "\"5 min\"", Bounds::between(1e-3, 86400), "length of the blocks in which requests are taken together")
      .optional("within", &Resample::within, "\"30 min\"", Bounds::between(1e-3, 43200),
                "how far from its own time of day a block may be taken, on any day of the trace: shapes slower than this stay");
  return record;
}

}  // namespace joulecast::traces
