#include "scenario/tables/traffic_rate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

using By = traces::RateScale::By;

void read_by(TrafficRateTable& rate, const Node& node, Diagnostics& diagnostics) {
  const auto* word = node.as<std::string>();
  if (word != nullptr && *word == "superpose") {
    rate.by = By::superpose;
  } else if (word != nullptr && *word == "compress") {
    rate.by = By::compress;
  } else if (word != nullptr && *word == "thin") {
    rate.by = By::thin;
  } else {
    const std::string near = word == nullptr ? "" : config::nearest(*word, {"superpose", "compress", "thin"});
    diagnostics.error(
        node.place(), "by is none of superpose | compress | thin",
        near.empty() ? "write by = \"superpose\": so many copies of the trace, shifted against each other" : "is \"" + near + "\" meant?");
  }
}

void check_rate(const TrafficRateTable& rate, const Place& place, Diagnostics& diagnostics) {
  if (rate.scale && !rate.by) {
    diagnostics.error(
        place, "rate has a scale and does not say how to reach it",
        "add by = \"superpose\" (keeps the burstiness of each copy), \"compress\" (time runs faster) or \"thin\" (leaves requests out)");
  }
  if (rate.by && !rate.scale) diagnostics.error(place, "rate says by what, and has no scale", "add scale = 8.0");
  if (rate.scale && rate.by == By::thin && *rate.scale > 1) {
    diagnostics.error(place, fmt::format("thinning to {:g} of a trace is not thinning", *rate.scale),
                      "choose a scale of at most 1, or by = \"superpose\"");
  }
  if (!rate.scale && !rate.by && rate.daily.empty()) {
    diagnostics.error(place, "rate is empty", "write { scale = 8.0, by = \"superpose\" } for a trace, { daily = [..] } for generated arrivals");
  }
  if (rate.daily.empty()) return;
  if (rate.daily.size() != 24) {
    diagnostics.error(place, fmt::format("daily has {} factors, expected one for each of the 24 hours of the day", rate.daily.size()),
                      "write 24 numbers, the first for 00:00 to 01:00");
  }
  double sum = 0;
  for (const double factor : rate.daily) sum += factor;
  if (!(sum > 0)) diagnostics.error(place, "all factors of daily are 0", "give at least one hour a factor above 0");
}

std::optional<double> read_share(const Node& node, const std::string& name, Diagnostics& diagnostics) {
  const auto share = config::Reads<config::Share>::read(node, diagnostics, name);
  if (!share) return std::nullopt;
  if (share->value > 0 && share->value <= 1) return share->value;
  diagnostics.error(node.place(), fmt::format("the share of \"{}\" is {:g}, expected more than 0 and at most 1", name, share->value),
                    "shares of a mix add up to 1");
  return std::nullopt;
}

}  // namespace

Record<TrafficRateTable> rate_record() {
  Record<TrafficRateTable> record("rate");
  record.place(&TrafficRateTable::place)
      .optional("scale", &TrafficRateTable::scale, "", Bounds::between(1e-6, 1e4), "of a trace: how many times its rate")
      .custom(
          "by", "one of superpose | compress | thin", "",
          "superpose: copies shifted around the trace's period, the last one in part; compress: time since the first arrival divided by the scale; "
          "thin: each request kept with the scale as its probability. They differ in the tail",
          read_by)
      .optional("daily", &TrafficRateTable::daily, "", Bounds::between(0, 1e6),
                "of generated arrivals: factors of the 24 hours of the local day; only their ratios count, request_rate stays the mean over a day")
      .check(check_rate);
  return record;
}

void read_lengths(TrafficTable& traffic, const Node& node, Diagnostics& diagnostics) {
  LengthsTable lengths;
  if (const auto* text = node.as<std::string>()) {
    lengths.histograms.emplace_back(*text, 1.0);
    traffic.lengths = std::move(lengths);
    return;
  }
  const auto* table = node.as<config::Table>();
  if (table == nullptr || table->entries.empty()) {
    diagnostics.error(
        node.place(), "expected a histogram's name, a mix or a trace, read " + std::string(node.kind()),
        "write \"azure-2023-conv\", { \"azure-2023-conv\" = 0.7, \"azure-2023-code\" = 0.3 } or { file = \"x.csv\", format = \"vidur\" }");
    return;
  }
  if (table->find("file") != nullptr || table->find("format") != nullptr) {
    lengths.trace = traces::trace_record().read(node, diagnostics);
    traffic.lengths = std::move(lengths);
    return;
  }
  double sum = 0;
  for (const auto& entry : table->entries) {
    const auto share = read_share(*entry.value, entry.key, diagnostics);
    if (!share) return;
    sum += *share;
    lengths.histograms.emplace_back(entry.key, *share);
  }
  if (std::abs(sum - 1) > 1e-9) {
    diagnostics.error(node.place(), fmt::format("the shares of the mix add up to {:.6g}, expected 1", sum), "correct one of them");
    return;
  }
  traffic.lengths = std::move(lengths);
}

}  // namespace joulecast::scenario
