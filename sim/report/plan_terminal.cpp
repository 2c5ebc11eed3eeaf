#include "report/plan_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using metering::Boundary;
using study::Plan;
using study::PlannedFleet;

constexpr double kHour = 3600, kYear = 365 * 24 * kHour;

/// Money as somebody stated it.
std::string stated(double value, const std::string& currency) {
  return (value >= 1000 ? with_separators(static_cast<std::uint64_t>(std::llround(value))) : three_digits(value)) + " " + currency;
}

/// What a fleet costs a month; nothing where its hardware has no price.
std::optional<std::string> a_month(const study::FleetFigures& figures, const std::string& currency) {
  if (!figures.cost || !figures.cost->total) return std::nullopt;
  return three_digits(*figures.cost->total * study::kMonth) + " " + currency;
}

/// "9 x dgx-h100, TP 4".
std::string fleet_text(const PlannedFleet& fleet) {
  std::string text = fmt::format("{} x {}", fleet.figures->nodes, fleet.candidate.node);
  for (const auto& [key, value] : fleet.candidate.settings)
    text += key == "tensor_parallel_size" ? ", TP " + value : fmt::format(", {} {}", key, value);
  return text;
}

std::string head(const Plan& plan) {
  std::string text = fmt::format("{} · seed {}\n", plan.name, plan.seed);
  text +=
      fmt::format("Every SLO at {:.4g} x the load with {} node{} down, {:.4g} % confidence; {} candidates\n", plan.settings.growth,
                  plan.settings.survive.nodes, plan.settings.survive.nodes == 1 ? "" : "s", 100 * plan.settings.confidence.value, plan.fleets.size());
  for (const std::string& note : plan.notes) text += "  " + note + "\n";
  return text;
}

std::string winners(const Plan& plan, const Style& style) {
  Table table;
  const std::tuple<const char*, std::optional<std::size_t>, scenario::Minimise> all[] = {
      {"cheapest", plan.cheapest, scenario::Minimise::cost},
      {"most frugal", plan.most_frugal, scenario::Minimise::energy},
      {"smallest", plan.smallest, scenario::Minimise::gpus}};
  for (const auto& [word, winner, minimise] : all) {
    const bool headline = minimise == plan.settings.minimise;
    if (!winner) {
      table.row({words(std::string("  ") + word), words(std::string(kUnknown))});
      continue;
    }
    const PlannedFleet& fleet = plan.fleets[*winner];
    const study::FleetFigures& f = *fleet.figures;
    std::string figures = fmt::format("{} GPUs, {:#.4g} J/output token", f.gpus, f.joules_per_output_token[static_cast<int>(Boundary::facility)]);
    if (const auto cost = a_month(f, plan.currency)) figures += ", " + *cost + " a month";
    table.row({words(std::string("  ") + word, headline ? Ink::heading : Ink::plain), words(fleet_text(fleet), headline ? Ink::good : Ink::plain),
               words(figures)});
  }
  return inked(style, Ink::heading, "Answer") + "\n" + table.text(style);
}

std::string rows(const Plan& plan, const Style& style) {
  Table table;
  const auto heading = [](const char* text) { return Cell{text, Ink::heading, true}; };
  table.row({words("Fleets that hold", Ink::heading), heading("GPUs"), heading("replicas"), heading("peak at it"), heading("J/token"),
             heading("±80 %"), heading("a month"), heading("M in"), heading("M out"), heading("CO2e/month"), heading("load held"),
             words("fails first", Ink::heading), words("watts, time", Ink::heading)});
  for (const PlannedFleet& fleet : plan.fleets) {
    if (!fleet.holds()) continue;
    const study::FleetFigures& f = *fleet.figures;
    const int facility = static_cast<int>(Boundary::facility);
    const auto optional = [](const std::optional<double>& value) { return value ? three_digits(*value) : std::string(kUnknown); };
    const std::string half = f.relative_half_width && std::isfinite((*f.relative_half_width)[facility])
                                 ? fmt::format("{:.0f} %", 100 * (*f.relative_half_width)[facility])
                                 : std::string(kUnknown);
    table.row({words("  " + fleet_text(fleet)),
               {fmt::to_string(f.gpus)},
               {fmt::to_string(f.replicas)},
               {scaled(watts(), f.peak_it_watts)},
               {fmt::format("{:#.4g}", f.joules_per_output_token[facility])},
               {half},
               {a_month(f, plan.currency).value_or(std::string(kUnknown))},
               {optional(f.per_million_input)},
               {optional(f.per_million_output)},
               {f.carbon_grams_per_s ? scaled(grams(), *f.carbon_grams_per_s * study::kMonth) : std::string(kUnknown)},
               {fleet.load && fleet.load->found.load ? fmt::format("{:.2f} x", *fleet.load->found.load) : std::string(kUnknown)},
               words(fleet.load ? fleet.load->fails_first : ""),
               words(study::worst_provenance(f.energy_coverage) + ", " + study::worst_provenance(f.time_coverage))});
  }
  std::string text = table.text(style);
  double window = 900;
  bool embodied = false;
  for (const PlannedFleet& fleet : plan.fleets) {
    if (fleet.holds()) window = std::min(window, fleet.figures->peak_window_s);
    embodied = embodied || (fleet.holds() && fleet.figures->embodied_grams);
  }
  text +=
      inked(style, Ink::dim,
            fmt::format(
                "  whole fleet at the planned load; peak: largest mean of {}; M in, M out: {} a million tokens, the fleet's cost split by attributed "
                "joules;\n  load held: by the survivors, x the scenario's load\n",
                window >= 60 ? fmt::format("{:g} min", window / 60) : fmt::format("{:g} s", window), plan.currency.empty() ? "cost" : plan.currency));
  for (const PlannedFleet& fleet : plan.fleets) {
    if (!fleet.load || fleet.load->found.load.value_or(0) >= plan.settings.growth) continue;
    text +=
        inked(style, Ink::warn,
              fmt::format("  {} is at its edge: it held {:.4g} x in its run, and not all loads below\n", fleet_text(fleet), plan.settings.growth));
  }
  for (const PlannedFleet& fleet : plan.fleets) {
    if (!embodied || !fleet.holds() || !fleet.figures->embodied_grams) continue;
    text += fmt::format("  making the GPUs of {}: {} CO2e, apart from that of energy\n", fleet_text(fleet),
                        scaled(grams(), *fleet.figures->embodied_grams));
  }
  return text;
}

/// Where the money of each kind of nodes comes from.
std::string costs(const Plan& plan) {
  std::string text;
  std::vector<std::string> told;
  for (const PlannedFleet& fleet : plan.fleets) {
    const scenario::PlanCandidate& each = fleet.candidate;
    if (!fleet.holds() || each.cost_source.empty() || std::find(told.begin(), told.end(), each.hardware()) != told.end()) continue;
    told.push_back(each.hardware());
    const scenario::CostTable& cost = each.scenario->clusters[each.scenario->pools.front().cluster].cost;
    std::string what;
    if (cost.rental) what = fmt::format("rent {} {}/GPU/h", three_digits(cost.rental->amount.si() * kHour), cost.rental->currency);
    if (cost.capital) {
      what += fmt::format("{}{} a node over {:.3g} years", what.empty() ? "" : ", ", stated(cost.capital->amount.si(), cost.capital->currency),
                          cost.life->si() / kYear);
    }
    text += fmt::format("  {}: {} ({})\n", each.hardware(), what, each.cost_source);
  }
  return text;
}

std::string refused(const Plan& plan, const Style& style) {
  Table table;
  bool any = false;
  for (const PlannedFleet& fleet : plan.fleets) {
    if (fleet.holds()) continue;
    any = true;
    table.row({words("  " + fleet.candidate.name), words(study::name(fleet.verdict), Ink::warn), words(fleet.why)});
  }
  return any ? inked(style, Ink::heading, "Not among them") + "\n" + table.text(style) : "";
}

std::string one_fewer(const Plan& plan, const Style& style) {
  Table table;
  bool any = false;
  for (const PlannedFleet& fleet : plan.fleets) {
    if (!fleet.holds()) continue;
    any = true;
    if (!fleet.one_fewer) {
      table.row({words("  " + fleet.candidate.name), words(fmt::format("{} nodes: none would be up", fleet.figures->nodes - 1))});
      continue;
    }
    for (const study::TailJudgement& tail : fleet.one_fewer->tails) {
      const std::string most = tail.worst().empty() ? "" : ", most by " + tail.worst();
      table.row({words("  " + fleet.candidate.name),
                 words(fmt::format("{} nodes: {} of traffic \"{}\" within SLO; {} miss, {} may{}", fleet.one_fewer->nodes, percent(tail.share),
                                   tail.traffic, with_separators(tail.misses), std::max<std::int64_t>(0, tail.allowed), most))});
    }
    if (!fleet.found.monotone) table.remark("    not monotone: a still smaller fleet held in its run");
  }
  return any ? inked(style, Ink::heading, "One node fewer") + "\n" + table.text(style) : "";
}

std::string turns(const Plan& plan, const Style& style) {
  if (plan.turns.empty())
    return plan.most_frugal ? inked(style, Ink::heading, "What would turn the answer") + "\n  no single input that was looked at\n" : "";
  Table table;
  for (const study::Turn& turn : plan.turns) {
    const std::string unit = turn.unit.empty() ? "" : " " + turn.unit;
    const std::string now = turn.now ? fmt::format("now {}{}", three_digits(*turn.now), unit) : "";
    table.row({words("  " + turn.input),
               {three_digits(turn.at) + (turn.unit.empty() && turn.input != "PUE" ? " x" : unit)},
               words(now),
               words(turn.what),
               words(turn.simulated ? "simulated" : "closed form", Ink::dim)});
  }
  return inked(style, Ink::heading, "What would turn the answer") + "\n" + table.text(style);
}

}  // namespace

std::string plan_report(const Plan& plan, const Style& style) {
  std::string text = head(plan) + "\n";
  if (plan.most_frugal) {
    text += winners(plan, style) + "\n" + rows(plan, style) + costs(plan) + "\n" + one_fewer(plan, style) + "\n" + turns(plan, style);
  } else {
    text += inked(style, Ink::bad, "No fleet holds what is asked") + "\n  nearest: " + plan.binding + "\n";
  }
  const std::string others = refused(plan, style);
  return others.empty() ? text : text + "\n" + others;
}

}  // namespace joulecast::report
