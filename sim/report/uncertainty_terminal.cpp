#include "report/uncertainty_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using study::UncertainFigure;
using study::Uncertainty;

constexpr double kWorthNaming = 0.03;
constexpr std::size_t kNamed = 4;

/// A figure for people: what it is called, in which units, and whether it is worth a line on its sources.
struct Row {
  std::string words;
  const UncertainFigure* figure;
  UnitFamily family;
  std::string per;
};

std::vector<Row> rows(const Uncertainty& known) {
  std::vector<Row> all;
  const auto add = [&](const std::string& words, const std::string& key, UnitFamily family, const std::string& per = "") {
    if (const UncertainFigure* figure = known.find(key); figure != nullptr && figure->interval) all.push_back({words, figure, family, per});
  };
  const UnitFamily plain{};
  add("energy, facility", "energy_joules.facility", watt_hours());
  add("power, mean, IT", "power_watts.it.mean", watts());
  add("power, peak 15 min, IT", "power_watts.it.peak_900s", watts());
  add("per output token, GPU", "energy_per_output_token_joules.gpu", joules());
  add("per output token, facility", "energy_per_output_token_joules.facility", joules());
  add("per request, facility", "energy_per_request_joules.facility", joules());
  for (const UncertainFigure& figure : known.figures) {
    if (!figure.interval) continue;
    const auto& path = figure.figure.path;
    const auto push = [&](const std::string& words, UnitFamily family, const std::string& per = "") { all.push_back({words, &figure, family, per}); };
    if (path.front() == "cost" && path.back() == "total") push("cost", plain, figure.figure.unit);
    if (path.front() == "cost" && path.back() == "output") push("cost of a million tokens out", plain, figure.figure.unit);
    if (path.front() == "carbon_grams") push("carbon", grams());
    if (path.front() == "traffic") {
      const std::string& traffic = path[1];
      if (path[2] == "output_tokens_per_s") push(traffic + " tokens/s", plain, "");
      if (path[2] == "slo_attainment") push(traffic + " within SLO", plain, "%");
      if (path.back() == "p50" || path.back() == "p99") {
        const std::string what = path[2] == "ttft_s" ? "TTFT" : path[2] == "tpot_s" ? "TPOT" : path[2] == "e2e_s" ? "E2E" : "";
        if (!what.empty()) push(fmt::format("{} {} {}", traffic, what, path.back()), seconds());
      }
    }
    if (path.front() == "training" && path[2] == "iteration_s") push(path[1] + " iteration", seconds());
    if (path.front() == "training" && path[2] == "iteration_joules") push(path[1] + " GPU energy of an iteration", joules());
  }
  return all;
}

std::string figures_table(const Uncertainty& known, const Style& style) {
  Table table;
  table.row(
      {words("Sure to", Ink::heading), words(""), {"stated", Ink::heading, true}, {"80 % from", Ink::heading, true}, {"to", Ink::heading, true}});
  for (const Row& row : rows(known)) {
    const fit::Interval& interval = *row.figure->interval;
    const double stated = row.figure->stated;
    std::vector<Cell> cells{words("  " + row.words)};
    double size = 1;
    std::string unit = row.per;
    if (!row.family.empty()) {
      const Unit chosen = unit_for(row.family, std::max(stated, interval.high));
      size = chosen.size;
      unit = std::string(chosen.name) + row.per;
    } else if (row.per == "%") {
      size = 0.01;
    }
    const int digits = digits_of(stated, interval.low, interval.high);
    cells.push_back(words(unit, Ink::dim));
    for (const double value : {stated, interval.low, interval.high}) cells.push_back({significant(value / size, digits)});
    table.row(std::move(cells));
  }
  return table.text(style);
}

/// Which figures' sources are told: energy a token, else of an iteration, else energy; the p99 that clients wait, else an iteration's time.
std::vector<std::pair<std::string, const UncertainFigure*>> told(const Uncertainty& known) {
  std::vector<std::pair<std::string, const UncertainFigure*>> all;
  const auto with_shares = [](const UncertainFigure* figure) { return figure != nullptr && figure->shares; };
  const UncertainFigure* token = known.find("energy_per_output_token_joules.facility");
  const UncertainFigure* energy = known.find("energy_joules.facility");
  if (with_shares(token)) {
    all.emplace_back("J/output token (facility)", token);
  } else if (with_shares(energy)) {
    all.emplace_back("energy (facility)", energy);
  }
  for (const UncertainFigure& figure : known.figures) {
    if (!figure.shares) continue;
    const auto& path = figure.figure.path;
    if (path.front() == "traffic" && path[2] == "ttft_s" && path.back() == "p99") all.emplace_back(path[1] + " TTFT p99", &figure);
    if (path.front() == "traffic" && path[2] == "tpot_s" && path.back() == "p50") all.emplace_back(path[1] + " TPOT p50", &figure);
    if (path.front() == "training" && path.back() == "iteration_joules") all.emplace_back(path[1] + " GPU energy of an iteration", &figure);
    if (path.front() == "training" && path.back() == "iteration_s") all.emplace_back(path[1] + " iteration", &figure);
  }
  return all;
}

std::string sources_text(const Uncertainty& known, const Style& style) {
  if (known.draws.size() < study::kFewDraws)
    return fmt::format("  {} draws are too few to tell where it comes from; {} do\n", known.draws.size(), study::kFewDraws);
  std::string text;
  std::optional<std::pair<std::size_t, std::string>> first;
  for (const auto& [words_of, figure] : told(known)) {
    const study::VarianceShares& shares = *figure->shares;
    std::vector<std::size_t> order(known.sources.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares.of_source[a] > shares.of_source[b]; });
    std::string line;
    for (std::size_t i = 0; i < order.size() && i < kNamed && shares.of_source[order[i]] >= kWorthNaming; ++i) {
      const scenario::ErrorSource& source = known.sources[order[i]];
      line += fmt::format("{}{:.0f} % {}", line.empty() ? "" : ", ", 100 * shares.of_source[order[i]], source.name);
      if (!first) {
        first = {order[i], fmt::format("{:.0f} % of the variance of {} comes from {} (± {:.0f} %): {}", 100 * shares.of_source[order[i]], words_of,
                                       source.name, 100 * source.drawn_error, source.remedy)};
      }
    }
    if (shares.unexplained >= kWorthNaming) {
      line += fmt::format("{}{:.0f} % the seed, small sources and what is not linear", line.empty() ? "" : ", ", 100 * shares.unexplained);
    }
    if (line.empty()) line = "nothing by itself";
    text += fmt::format("  {}: {}\n", words_of, line);
  }
  if (text.empty()) return text;
  text = inked(style, Ink::heading, "Where it comes from") + "\n" + text;
  if (first) text += "  " + first->second + "\n";
  return text;
}

}  // namespace

std::string uncertainty_report(const Uncertainty& known, const Style& style) {
  std::string text =
      inked(style, Ink::heading, "Uncertainty") + fmt::format("  {} draws of what profiles state of {} figures' errors, and of the seed\n",
                                                              with_separators(known.draws.size()), known.sources.size());
  if (known.partial) text += inked(style, Ink::warn, fmt::format("INTERRUPTED: {} of {} draws", known.draws.size(), known.asked)) + "\n";
  text += figures_table(known, style);
  const std::string sources = sources_text(known, style);
  return sources.empty() ? text : text + "\n" + sources;
}

}  // namespace joulecast::report
