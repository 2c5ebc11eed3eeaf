#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "traces/jsonl.hpp"
#include "traces/load/columns.hpp"
#include "traces/load/readers.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"

namespace joulecast::traces {
namespace {

/// The keys of a request, each under its usual names.
const std::vector<std::vector<std::string>>& names() {
  static const std::vector<std::vector<std::string>> all = {
      {"start_unix_s", "arrival_time", "start_time"},
      {"end_unix_s", "finish_time", "end_time"},
      {"input_tokens", "prompt_tokens", "prompt_len", "input_length"},
      {"output_tokens", "generation_tokens", "completion_tokens", "output_len", "output_length"}};
  return all;
}
enum : std::size_t { kStart, kEnd, kInput, kOutput };

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const auto& each : names()) all.insert(all.end(), each.begin(), each.end());
  return all;
}

/// The key under which a line has a quantity.
std::size_t key_of(const JsonLines& lines, std::size_t quantity) {
  std::size_t key = 0;
  for (std::size_t q = 0; q < quantity; ++q) key += names()[q].size();
  for (std::size_t i = 0; i < names()[quantity].size(); ++i) {
    if (lines.field(key + i).kind != JsonField::Kind::absent) return key + i;
  }
  return key;
}

double number(const JsonLines& lines, std::size_t quantity, const char* expected) {
  const std::size_t key = key_of(lines, quantity);
  const auto value = lines.field(key).kind == JsonField::Kind::number ? read_double(lines.field(key).text) : std::nullopt;
  if (!value || *value < 0) lines.refuse(key, expected, "write each request with its start and end in seconds since 1970 and its tokens");
  return *value;
}

struct Change {
  std::int64_t time_ns;
  int running;
  double input, output;
};

}  // namespace

LoadLog read_requests_jsonl(const SeriesText& text, const PowerLogOptions&) {
  LoadLog log;
  log.source.file = text.name();
  JsonLines lines(text.lines(), all_names());
  std::vector<Change> changes;
  while (lines.next()) {
    std::int64_t span[2] = {};
    for (const std::size_t q : {kStart, kEnd}) {
      const std::size_t key = key_of(lines, q);
      number(lines, q, "a time in seconds since 1970");
      if (!read_log_seconds(lines.field(key).text, 1, span[q])) lines.refuse(key, "a time in seconds since 1970", "write it in seconds");
    }
    if (span[kEnd] < span[kStart]) lines.refuse(key_of(lines, kEnd), "an end behind the start", "correct the line");
    const double input = number(lines, kInput, "a number of tokens"), output = number(lines, kOutput, "a number of tokens");
    changes.push_back({span[kStart], 1, input, 0});
    changes.push_back({span[kEnd], -1, 0, output});
    ++log.source.rows;
  }
  if (changes.empty())
    throw UserError({text.name(), 0, 0}, "the file has no requests", "write a request a line, as {\"start_unix_s\": ..., \"end_unix_s\": ...}");
  if (lines.torn()) ++log.source.dropped["torn last row"];
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time_ns < b.time_ns; });
  EngineBuilder engine;
  double running = 0, input = 0, output = 0;
  for (const Change& change : changes) {
    running += change.running;
    input += change.input;
    output += change.output;
    engine.add(change.time_ns, &EngineLoad::running, running);
    engine.add(change.time_ns, &EngineLoad::prompt_tokens, input);
    engine.add(change.time_ns, &EngineLoad::generation_tokens, output);
  }
  const std::size_t requests = log.source.rows;
  log.engines.push_back(engine.finish("", log));
  log.source.rows = requests;
  log.notes.emplace_back("running counts requests from their start, those that wait among them; output tokens are counted when a request ends");
  return log;
}

}  // namespace joulecast::traces
