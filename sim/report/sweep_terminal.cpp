#include "report/sweep_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using study::Sweep;
using study::SweptPoint;

constexpr std::size_t kMostRows = 40, kMostFailures = 8;

const study::Figure* figure_of(const Sweep& sweep, const std::string& key) {
  const auto found = std::find_if(sweep.figures.begin(), sweep.figures.end(), [&](const study::Figure& figure) { return figure.key == key; });
  return found == sweep.figures.end() ? nullptr : &*found;
}

std::string value_text(const study::Figure& figure, double value) {
  if (figure.unit == "s") return scaled(seconds(), value);
  if (figure.unit == "J") return scaled(joules(), value);
  if (figure.unit == "W") return scaled(watts(), value);
  if (figure.unit == "g") return scaled(grams(), value);
  if (figure.unit == "1") return three_digits(value);
  return three_digits(value) + " " + figure.unit;
}

double value_of(const Sweep& sweep, const SweptPoint& point, const std::string& key) {
  for (std::size_t f = 0; f < sweep.figures.size(); ++f) {
    if (sweep.figures[f].key == key) return point.values[f];
  }
  return std::nan("");
}

Cell objective_cell(const Sweep& sweep, const SweptPoint& point, const std::string& key) {
  const study::Figure* figure = figure_of(sweep, key);
  return {figure == nullptr ? std::string(kUnknown) : value_text(*figure, value_of(sweep, point, key))};
}

std::string coordinates(const Sweep& sweep, const SweptPoint& point) {
  std::string text;
  for (std::size_t d = 0; d < sweep.axes.size(); ++d) {
    for (const study::AxisPart& part : sweep.axes[d].parts) {
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", part.key, part.labels[point.listed.at[d]]);
    }
  }
  return text;
}

std::string varied(const Sweep& sweep) {
  std::string text;
  for (const study::Axis& axis : sweep.axes) {
    text +=
        fmt::format("  {}: {} values, {}{}\n", axis.name, axis.size(), axis.label(0), axis.size() > 1 ? " .. " + axis.label(axis.size() - 1) : "");
  }
  return text;
}

void add_front(std::string& text, const Sweep& sweep, const Style& style) {
  std::vector<const SweptPoint*> front;
  for (const SweptPoint& point : sweep.points) {
    if (point.on_front) front.push_back(&point);
  }
  if (front.empty()) {
    text += inked(style, Ink::bad, "\nno point holds every stated SLO, so none is on the Pareto front\n");
    return;
  }
  const std::string& first = sweep.objectives.front();
  const bool higher = figure_of(sweep, first) != nullptr && figure_of(sweep, first)->better == study::Figure::Better::higher;
  std::stable_sort(front.begin(), front.end(), [&](const SweptPoint* a, const SweptPoint* b) {
    const double left = value_of(sweep, *a, first), right = value_of(sweep, *b, first);
    return higher ? left > right : left < right;
  });
  Table table;
  std::vector<Cell> heading;
  for (const study::Axis& axis : sweep.axes) {
    for (const study::AxisPart& part : axis.parts) heading.push_back({part.key, Ink::heading, true});
  }
  for (const std::string& objective : sweep.objectives) heading.push_back({objective, Ink::heading, true});
  if (sweep.states_slo()) heading.push_back({"SLO", Ink::heading, true});
  table.row(heading);
  for (std::size_t i = 0; i < front.size() && i < kMostRows; ++i) {
    std::vector<Cell> row;
    for (std::size_t d = 0; d < sweep.axes.size(); ++d) {
      for (const study::AxisPart& part : sweep.axes[d].parts) row.push_back({part.labels[front[i]->listed.at[d]]});
    }
    for (const std::string& objective : sweep.objectives) row.push_back(objective_cell(sweep, *front[i], objective));
    if (sweep.states_slo()) row.push_back({front[i]->slo_held ? "held" : "none stated"});
    table.row(row);
  }
  text += "\n" + inked(style, Ink::heading, "Pareto front") + "\n" + table.text(style, "  ");
  if (front.size() > kMostRows) text += fmt::format("  and {} more in sweep.csv\n", front.size() - kMostRows);
}

void add_best(std::string& text, const Sweep& sweep, const Style& style) {
  if (std::none_of(sweep.best.begin(), sweep.best.end(), [](const auto& best) { return best.has_value(); })) return;
  text += "\n" + inked(style, Ink::heading, "Best by each objective") + "\n";
  for (std::size_t o = 0; o < sweep.objectives.size(); ++o) {
    if (!sweep.best[o]) continue;
    const SweptPoint& point = sweep.points[*sweep.best[o]];
    text += fmt::format("  {} {}: {}\n", sweep.objectives[o], objective_cell(sweep, point, sweep.objectives[o]).text, coordinates(sweep, point));
  }
}

/// Points with the same fault are told together.
void add_failures(std::string& text, const Sweep& sweep, const Style& style) {
  std::map<std::string, std::vector<const SweptPoint*>> by_fault;
  std::vector<std::string> order;
  for (const SweptPoint& point : sweep.points) {
    if (point.failure.empty()) continue;
    if (by_fault[point.failure].empty()) order.push_back(point.failure);
    by_fault[point.failure].push_back(&point);
  }
  if (order.empty()) return;
  text += "\n" + inked(style, Ink::bad, fmt::format("{} of {} points failed", sweep.failed(), sweep.points.size())) + "\n";
  for (std::size_t i = 0; i < order.size() && i < kMostFailures; ++i) {
    const auto& points = by_fault[order[i]];
    const std::string more = points.size() > 1 ? fmt::format(" and {} more", points.size() - 1) : "";
    text += fmt::format("  {}{}\n    {}\n", coordinates(sweep, *points.front()), more, order[i].substr(0, order[i].find('\n')));
  }
  if (order.size() > kMostFailures) text += fmt::format("  and {} other faults in sweep.csv\n", order.size() - kMostFailures);
}

}  // namespace

std::string sweep_report(const Sweep& sweep, const Style& style) {
  std::string text = fmt::format("{}\n  {} points, energy at {}\n{}", inked(style, Ink::heading, sweep.name), sweep.points.size(),
                                 metering::name(sweep.boundary), varied(sweep));
  if (sweep.states_slo()) {
    text += fmt::format("  {} of {} points that ran hold every stated SLO\n", sweep.holding(), sweep.points.size() - sweep.failed());
  }
  add_front(text, sweep, style);
  add_best(text, sweep, style);
  add_failures(text, sweep, style);
  return text;
}

}  // namespace joulecast::report
