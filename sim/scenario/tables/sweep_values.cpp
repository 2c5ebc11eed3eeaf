#include "scenario/tables/sweep_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "config/quantity_text.hpp"
#include "config/record.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

enum class Spacing : std::uint8_t { linear, log };

constexpr std::int64_t kMostSteps = 10000;
constexpr const char* kRangeKeys[] = {"from", "to", "steps", "spacing"};

/// One end of a range: a number and the unit behind it, "" for a plain number.
struct End {
  double number = 0;
  std::string unit;
  bool whole = false;  ///< written as an integer
};

struct Range {
  End from, to;
  std::int64_t steps = 0;
  Spacing spacing = Spacing::linear;
};

End end_of(const Node& node, const std::string& key, Diagnostics& diagnostics) {
  if (const auto* integer = node.as<std::int64_t>()) return {static_cast<double>(*integer), "", true};
  if (const auto* number = node.as<double>(); number != nullptr && std::isfinite(*number)) return {*number, "", false};
  if (const auto* text = node.as<std::string>()) {
    if (const auto quantity = config::quantity_of(*text)) return {quantity->number, quantity->unit, false};
  }
  diagnostics.error(node.place(), fmt::format("\"{}\" of a range expects a number or a quantity, read {}", key, node.kind()),
                    fmt::format("write {} = 1 or {} = \"1110 MHz\", or list the values: [\"a\", \"b\"]", key, key));
  return {};
}

void check_range(const Range& range, const Place& place, Diagnostics& diagnostics) {
  if (range.from.unit != range.to.unit) {
    diagnostics.error(place, fmt::format("the range goes from \"{}\" to \"{}\"", range.from.unit, range.to.unit), "write both ends in the same unit");
  } else if (range.from.number == range.to.number) {
    diagnostics.error(place, "the range ends where it begins", "write another \"to\", or a list of one value");
  } else if (range.spacing == Spacing::log && (range.from.number <= 0 || range.to.number <= 0)) {
    diagnostics.error(place, "a range with spacing = \"log\" has ends above 0", "write spacing = \"linear\", or other ends");
  }
}

Record<Range> range_record() {
  Record<Range> record("range");
  record
      .custom(
          "from", "number or quantity", "", "the first value", [](Range& r, const Node& n, Diagnostics& d) { r.from = end_of(n, "from", d); }, true)
      .custom(
          "to", "number or quantity", "", "the last value", [](Range& r, const Node& n, Diagnostics& d) { r.to = end_of(n, "to", d); }, true)
      .required("steps", &Range::steps, Bounds::between(2, static_cast<double>(kMostSteps)), "how many values, the ends among them")
      .choice("spacing", &Range::spacing, {{"linear", Spacing::linear}, {"log", Spacing::log}}, "\"linear\"", "how the values are spaced")
      .check(check_range);
  return record;
}

double value_at(const Range& range, std::int64_t step) {
  if (step == 0) return range.from.number;
  if (step == range.steps - 1) return range.to.number;
  const double share = static_cast<double>(step) / static_cast<double>(range.steps - 1);
  if (range.spacing == Spacing::log) return range.from.number * std::pow(range.to.number / range.from.number, share);
  return range.from.number + share * (range.to.number - range.from.number);
}

/// Twelve digits are more than any key needs, and hide the last bits of the spacing.
std::string digits(double value) { return fmt::format("{:.12g}", value); }

Node node_at(const Range& range, std::int64_t step, const Place& place) {
  const double value = value_at(range, step);
  if (!range.from.unit.empty()) return {digits(value) + " " + range.from.unit, place};
  const double nearest = std::round(value);
  const bool whole = range.from.whole && range.to.whole && std::abs(value - nearest) <= 1e-9 * std::abs(value);
  if (whole) return {static_cast<std::int64_t>(nearest), place};
  return {std::stod(digits(value)), place};
}

}  // namespace

bool says_values(const Node& node) {
  if (node.as<Node::Array>() != nullptr) return true;
  const auto* table = node.as<config::Table>();
  if (table == nullptr || table->entries.empty()) return false;
  return std::all_of(table->entries.begin(), table->entries.end(), [](const config::Table::Entry& entry) {
    return entry.value->as<config::Table>() == nullptr && std::find(std::begin(kRangeKeys), std::end(kRangeKeys), entry.key) != std::end(kRangeKeys);
  });
}

std::vector<Node> values_of(const Node& node, const std::string& key, Diagnostics& diagnostics) {
  if (const auto* list = node.as<Node::Array>()) {
    if (list->empty())
      diagnostics.error(node.place(), fmt::format("the sweep of {} has no values", key), "list at least one value, or leave the key out");
    return *list;
  }
  const std::size_t faults = diagnostics.count();
  const Range range = range_record().read(node, diagnostics);
  std::vector<Node> values;
  if (diagnostics.count() != faults) return values;
  for (std::int64_t step = 0; step < range.steps; ++step) values.push_back(node_at(range, step, node.place()));
  return values;
}

}  // namespace joulecast::scenario
