#include "traces/power/plain_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "config/node.hpp"
#include "traces/power/measured_cell.hpp"

namespace joulecast::traces {
namespace {

/// Words of a name, and what it is if it holds one; the first that fits counts.
struct Word {
  std::string_view word, quantity;
  Dimension dimension;
};
constexpr Word kWords[] = {
    {"meter", "meter", Dimension::power},     {"pmd", "meter", Dimension::power},   {"wall", "meter", Dimension::power},
    {"limit", "limit", Dimension::power},     {"cap", "limit", Dimension::power},   {"instant", "instant", Dimension::power},
    {"average", "average", Dimension::power}, {"avg", "average", Dimension::power}, {"mean", "average", Dimension::power},
    {"", "power", Dimension::power},          {"", "energy", Dimension::energy},    {"mem", "memory_clock", Dimension::frequency},
    {"", "sm_clock", Dimension::frequency}};

bool is_time_name(std::string_view stem) {
  constexpr std::string_view names[] = {"t", "time", "unix", "time_unix", "unix_time", "timestamp", "epoch", "elapsed", "elapsed_time"};
  return std::find(std::begin(names), std::end(names), stem) != std::end(names);
}

}  // namespace

const std::vector<std::string>& plain_quantities() {
  static const std::vector<std::string> names = {"time",        "gpu",         "uuid",   "power",       "meter",
                                                 "average",     "instant",     "energy", "sm_clock",    "memory_clock",
                                                 "utilization", "temperature", "limit",  "memory_used", "mark"};
  return names;
}

PlainColumn read_plain_header(const std::string& text) {
  const HeaderCell header = read_header_cell(text);
  if (header.name == "gpu" || header.name == "index" || header.name == "gpu_index") return {"gpu", ""};
  if (header.name == "uuid") return {"uuid", ""};
  std::string stem = header.name, unit = header.unit;
  if (unit.empty()) {
    // The unit stands behind the last underscore, in the case of the file.
    const std::string_view written = trimmed_cell(text);
    const std::size_t bar = written.rfind('_');
    if (bar == std::string_view::npos || bar == 0) return {};
    unit = written.substr(bar + 1);
    stem = stem.substr(0, stem.rfind('_'));
  }
  if (unit_factor(unit, Dimension::time)) return {is_time_name(stem) ? "time" : "", unit};
  for (const Word& word : kWords) {
    if (unit_factor(unit, word.dimension) && stem.find(word.word) != std::string::npos) return {std::string(word.quantity), unit};
  }
  return {};
}

LogColumn read_mapping(const std::string& text, const Place& place) {
  const std::size_t equals = text.find('=');
  const std::string quantity = text.substr(0, equals);
  const auto& known = plain_quantities();
  if (equals == std::string::npos || std::find(known.begin(), known.end(), quantity) == known.end()) {
    const std::string near = config::nearest(quantity, known);
    throw UserError(place, fmt::format("--map \"{}\" names no quantity", text),
                    fmt::format("{}write QUANTITY=COLUMN:UNIT, with a quantity of {}", near.empty() ? "" : fmt::format("did you mean {}? ", near),
                                fmt::join(known, ", ")));
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon < equals) return {quantity, text.substr(equals + 1), ""};
  return {quantity, text.substr(equals + 1, colon - equals - 1), text.substr(colon + 1)};
}

}  // namespace joulecast::traces
