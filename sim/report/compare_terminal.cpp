#include "report/compare_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "report/compare_draws_terminal.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using study::ComparedArm;
using study::Comparison;
using study::Verdict;

/// A column of both tables: a figure and how a person writes it.
struct Column {
  std::size_t figure;
  std::string heading;
  std::function<std::string(double, int digits)> text;

  std::string plain(double value) const { return text(value, 3); }
};

class Columns {
 public:
  explicit Columns(const Comparison& comparison) : comparison_(comparison) {}

  void add(const std::string& key, const std::string& heading, std::function<std::string(double, int)> text) {
    for (std::size_t f = 0; f < comparison_.figures.size(); ++f) {
      if (comparison_.figures[f].key == key) columns.push_back({f, heading, std::move(text)});
    }
  }
  std::string unit(const std::string& key) const {
    for (const study::Figure& figure : comparison_.figures) {
      if (figure.key == key) return figure.unit;
    }
    return "";
  }

  std::vector<Column> columns;

 private:
  const Comparison& comparison_;
};

std::string share(double value, int = 3) { return fmt::format("{:.2f} %", 100 * value); }
std::string in_seconds(double value, int digits) { return scaled(seconds(), value, digits); }

std::vector<Column> energy_columns(const Comparison& comparison) {
  const std::string at(metering::name(comparison.settings.boundary));
  Columns table(comparison);
  table.add("load.requests_per_s", "load", [](double v, int digits) { return significant(v, digits) + " /s"; });
  table.add("energy_per_output_token_joules." + at, "J/output token", significant);
  table.add("energy_joules." + at, "energy", [](double v, int digits) { return scaled(watt_hours(), v, digits); });
  table.add("power_watts." + at + ".mean", "mean power", [](double v, int digits) { return scaled(watts(), v, digits); });
  const std::string currency = table.unit("cost.total");
  table.add("cost.total", "cost", [currency](double v, int digits) { return significant(v, digits) + " " + currency; });
  table.add("carbon_grams", "carbon", [](double v, int digits) { return scaled(grams(), v, digits); });
  return table.columns;
}

std::vector<Column> traffic_columns(const Comparison& comparison, const std::string& traffic) {
  const std::string key = "traffic." + traffic + ".";
  Columns table(comparison);
  table.add(key + "ttft_s.p50", "TTFT p50", in_seconds);
  table.add(key + "ttft_s.p99", "TTFT p99", in_seconds);
  table.add(key + "tpot_s.p50", "TPOT p50", in_seconds);
  table.add(key + "tpot_s.p99", "TPOT p99", in_seconds);
  table.add(key + "e2e_s.p99", "E2E p99", in_seconds);
  table.add(key + "slo_attainment", "within SLO", share);
  table.add(key + "accuracy", "accuracy", [](double v, int) { return fmt::format("{:.4f}", v); });
  return table.columns;
}

std::vector<Column> job_columns(const Comparison& comparison, const std::string& job) {
  const std::string key = "training." + job + ".";
  Columns table(comparison);
  table.add(key + "iteration_s", "iteration", in_seconds);
  table.add(key + "iteration_joules", "GPU energy", [](double v, int digits) { return scaled(joules(), v, digits); });
  table.add(key + "tokens_per_s", "tokens/s", significant);
  return table.columns;
}

std::string signed_text(double value, const std::function<std::string(double)>& text) {
  const std::string shown = text(std::abs(value));
  return shown == text(0) ? shown : (value < 0 ? "-" : "+") + shown;
}

/// "-3.1 % ±0.4", with "≈" before what is within noise; in the figure's own unit where the reference is 0.
Cell difference_cell(const Comparison& comparison, const Column& column, const std::optional<study::Difference>& difference) {
  if (!difference) return {std::string(kUnknown), Ink::dim, true};
  if (difference->verdict == Verdict::same) return {"0", Ink::dim, true};
  const study::Estimate& shown = difference->relative ? *difference->relative : difference->absolute;
  const auto text = difference->relative ? std::function<std::string(double)>([](double v) { return fmt::format("{:.2f} %", 100 * v); })
                                         : std::function<std::string(double)>([&](double v) { return column.plain(v); });
  std::string cell = signed_text(shown.value, text);
  if (shown.low) {
    const double half = (*shown.high - *shown.low) / 2;
    cell += difference->relative ? fmt::format(" ±{:.2f}", 100 * half) : " ±" + text(half);
  }
  if (difference->verdict == Verdict::within_noise) return {"≈ " + cell, Ink::dim, true};
  const auto better = comparison.figures[column.figure].better;
  if (difference->verdict == Verdict::untested || better == study::Figure::Better::neither) return {cell};
  const bool good = (better == study::Figure::Better::lower) == (difference->verdict == Verdict::lower);
  return {cell, good ? Ink::good : Ink::bad, true};
}

/// Digits that the profiles' errors leave an arm's level.
int level_digits(const Comparison& comparison, std::size_t arm, std::size_t figure) {
  if (!comparison.drawn || !comparison.drawn->arms[arm].levels[figure] || !comparison.arms[arm].values[figure]) return 3;
  const fit::Interval& interval = *comparison.drawn->arms[arm].levels[figure];
  return digits_of(comparison.arms[arm].values[figure]->value, interval.low, interval.high);
}

/// "-3.4 .. -2.1 %": what the profiles' errors leave of a difference; dim where they could turn its sign.
Cell drawn_difference(const Comparison& comparison, const Column& column, const std::optional<study::DrawnDifference>& difference) {
  if (!difference) return {std::string(kUnknown), Ink::dim, true};
  if (difference->verdict == Verdict::same) return {"0", Ink::dim, true};
  const auto plain = [&](double v) { return signed_text(v, [&](double each) { return column.plain(each); }); };
  const std::string cell = difference->relative
                               ? fmt::format("{:+.2f} .. {:+.2f} %", 100 * difference->relative->low, 100 * difference->relative->high)
                               : plain(difference->absolute.low) + " .. " + plain(difference->absolute.high);
  if (difference->verdict == Verdict::within_noise) return {"≈ " + cell, Ink::dim, true};
  const auto better = comparison.figures[column.figure].better;
  if (better == study::Figure::Better::neither) return {cell};
  return {cell, (better == study::Figure::Better::lower) == (difference->verdict == Verdict::lower) ? Ink::good : Ink::bad, true};
}

/// 80 % intervals by the profiles' errors: of the levels, and of the differences.
void add_drawn_rows(Table& table, const Comparison& comparison, const std::vector<Column>& columns) {
  const auto add = [&](std::size_t a, auto&& cell) {
    std::vector<Cell> row = {words("  " + comparison.arms[a].name)};
    for (const Column& column : columns) row.push_back(cell(column));
    table.row(std::move(row));
  };
  table.row({words("80 % by profiles", Ink::dim)});
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
    add(a, [&](const Column& column) -> Cell {
      const auto& interval = comparison.drawn->arms[a].levels[column.figure];
      if (!interval) return {std::string(kUnknown), Ink::dim, true};
      const int digits = std::max(2, level_digits(comparison, a, column.figure));
      return {column.text(interval->low, digits) + " .. " + column.text(interval->high, digits)};
    });
  }
  if (comparison.arms.size() > 1) table.row({words("minus " + comparison.arms[comparison.reference].name + ", 80 %", Ink::dim)});
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
    if (a == comparison.reference) continue;
    add(a, [&](const Column& column) { return drawn_difference(comparison, column, comparison.drawn->arms[a].differences[column.figure]); });
  }
}

void add_table(std::string& text, const Comparison& comparison, const std::string& title, const std::vector<Column>& columns, const Style& style) {
  if (columns.empty()) return;
  Table table;
  std::vector<Cell> heading = {words(title, Ink::heading)};
  for (const Column& column : columns) heading.push_back({column.heading, Ink::heading, true});
  table.row(heading);
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
    const ComparedArm& arm = comparison.arms[a];
    std::vector<Cell> row = {words("  " + arm.name)};
    for (const Column& column : columns) {
      const auto& value = arm.values[column.figure];
      row.push_back({value ? column.text(value->value, level_digits(comparison, a, column.figure)) : std::string(kUnknown)});
    }
    table.row(row);
  }
  const ComparedArm& reference = comparison.arms[comparison.reference];
  if (comparison.arms.size() > 1) table.row({words("minus " + reference.name, Ink::dim)});
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
    if (a == comparison.reference) continue;
    const ComparedArm& arm = comparison.arms[a];
    std::vector<Cell> row = {words("  " + arm.name)};
    for (const Column& column : columns) row.push_back(difference_cell(comparison, column, arm.differences[column.figure]));
    table.row(row);
  }
  if (comparison.drawn) add_drawn_rows(table, comparison, columns);
  text += "\n" + table.text(style);
}

/// "8 seeds, 95 % intervals of the mean".
std::string how_sure(const Comparison& comparison) {
  const std::string confidence = fmt::format("{:.4g} %", 100 * comparison.confidence);
  switch (comparison.spread) {
    case study::Spread::none:
      return "one run an arm, no intervals";
    case study::Spread::draws:
      return fmt::format("{} replications, paired; ± is the {} interval of the mean difference, ≈ where it holds 0", comparison.replications.size(),
                         confidence);
    case study::Spread::blocks:
      return fmt::format("the trace as it is; ± is the {} interval from {} resampled traces, paired, ≈ where it holds 0", confidence,
                         comparison.replications.size());
  }
  return "";
}

std::string held_text(const Comparison& comparison) {
  std::string text;
  for (const ComparedArm& arm : comparison.arms) {
    if (!arm.once.load) continue;
    const study::LoadAtSlo& load = *arm.once.load;
    if (!load.found.load) {
      for (const study::Attainment& each : load.attainments) {
        if (each.share < each.required) {
          text += fmt::format("  {}: at no load; at the least, traffic \"{}\" has {} within its SLO, {} are required\n", arm.name, each.traffic,
                              share(each.share), share(each.required));
        }
      }
      continue;
    }
    std::string remark = fmt::format("  {}: {:.4g} times the scenario's load, {} loads tried", arm.name, *load.found.load, load.found.tried.size());
    if (!load.found.bounded) remark += ", the greatest that can be asked for: the SLO bounds nothing";
    if (!load.found.monotone) remark += ", and a greater one held again beyond one that did not";
    if (arm.not_held() > 0)
      remark += fmt::format("; at no load in {} of {} replications, so its figures are not known", arm.not_held(), arm.runs.size());
    text += remark + "\n";
  }
  return text;
}

}  // namespace

std::string compare_report(const Comparison& comparison, const Style& style) {
  const scenario::CompareTable& settings = comparison.settings;
  const bool slo = settings.hold == scenario::Hold::slo;
  std::string text = fmt::format("{}\n  {} arms on {}, energy at {}\n  {}\n", inked(style, Ink::heading, comparison.name), comparison.arms.size(),
                                 slo                        ? "as much traffic as each takes within its SLO"
                                 : comparison.same_requests ? "the same requests"
                                                            : "requests that differ between arms",
                                 metering::name(settings.boundary), how_sure(comparison));
  if (comparison.drawn) text += "  " + drawn_how_sure(comparison) + "\n";
  if (slo) text += held_text(comparison);
  add_table(text, comparison, "Energy", energy_columns(comparison), style);
  for (const scenario::Traffic& traffic : comparison.arms[comparison.reference].scenario.traffics) {
    add_table(text, comparison, "Traffic " + traffic.name, traffic_columns(comparison, traffic.name), style);
  }
  for (const scenario::TrainingJob& job : comparison.arms[comparison.reference].scenario.jobs) {
    add_table(text, comparison, "Job " + job.name, job_columns(comparison, job.name), style);
  }
  if (comparison.drawn) text += drawn_sources(comparison, style);
  return text;
}

}  // namespace joulecast::report
