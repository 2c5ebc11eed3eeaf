#include "study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "base/hash.hpp"
#include "study/parallel.hpp"
#include "study/plan_fleet.hpp"
#include "study/plan_length.hpp"

namespace joulecast::study {

namespace {

using metering::Boundary;

double facility_joules(const FleetFigures& figures) { return figures.joules_per_output_token[static_cast<int>(Boundary::facility)]; }
double money(const FleetFigures& figures) { return figures.cost ? figures.cost->total.value_or(INFINITY) : INFINITY; }

/// The first, in the order of the candidates, with the least key; keys are compared one after another.
template <class Key>
std::optional<std::size_t> least(const std::vector<PlannedFleet>& fleets, Key key) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < fleets.size(); ++i) {
    if (fleets[i].holds() && (!best || key(*fleets[i].figures) < key(*fleets[*best].figures))) best = i;
  }
  return best;
}

bool priced(const scenario::PlanCandidate& candidate) {
  if (!candidate.scenario) return true;
  const auto& cost = candidate.scenario->clusters[candidate.scenario->pools.front().cluster].cost;
  return cost.rental || cost.capital;
}

/// Notes of nodes without a price; an error where cost decides.
std::vector<std::string> check_prices(const scenario::PlanInput& input) {
  config::Diagnostics diagnostics;
  std::vector<std::string> notes, told;
  const auto& limits = input.plan.limits;
  const bool minimised = input.plan.minimise == scenario::Minimise::cost;
  for (const auto& candidate : input.candidates) {
    const std::string hardware = candidate.hardware();
    if (priced(candidate) || std::find(told.begin(), told.end(), hardware) != told.end()) continue;
    told.push_back(hardware);
    const std::string what = fmt::format("nothing says what \"{}\" costs: no rental or capital of it is shipped or stated", hardware);
    if (minimised || limits.cost) {
      diagnostics.error(
          minimised ? input.plan.place : limits.place, what,
          fmt::format("add [plan.cost.{}] with rental = \"1.30 USD/GPU/h\", or capital = \"300000 USD/node\" and life = \"4 year\"; or {}",
                      config::key_text(candidate.node),
                      limits.cost ? "leave out plan.limits.cost and minimise \"energy\"" : "minimise = \"energy\""));
    } else {
      notes.push_back(what + "; the cheapest fleet is not known");
    }
  }
  for (const auto& candidate : input.candidates) {
    if (!candidate.scenario || !limits.cost || !priced(candidate) || candidate.scenario->currency.rate(limits.cost->currency)) continue;
    diagnostics.error(
        limits.place,
        fmt::format("the limit on cost is in {}, and the scenario counts in {}", limits.cost->currency, candidate.scenario->currency.base),
        fmt::format("write it in {}, or add the rate to [currency]", candidate.scenario->currency.base));
    break;
  }
  const bool emits =
      std::all_of(input.given.sites.begin(), input.given.sites.end(), [](const scenario::Site& site) { return site.carbon.has_value(); });
  if (limits.carbon && !emits)
    diagnostics.error(limits.place, "a limit on carbon, and the site states no carbon intensity", "add carbon = \"380 g/kWh\" to [site]");
  diagnostics.throw_if_failed();
  return notes;
}

SplitCost split(const PlannedFleet& fleet) {
  const CostRate& cost = *fleet.figures->cost;
  return {fleet.candidate.name,    fleet.candidate.hardware(), cost.energy.value_or(0),
          cost.rental.value_or(0), cost.capital.value_or(0),   cost.demand.value_or(0)};
}

/// The SLO at which the winner needs another node, or could do with one fewer: from runs that were made.
void slo_turns(std::vector<Turn>& turns, const PlannedFleet& winner) {
  for (const TailJudgement& tail : winner.survivors->tails) {
    for (const SloLimit& limit : tail.limits) {
      if (!limit.holds || !(*limit.holds < limit.limit_s)) continue;
      turns.push_back({fmt::format("{} of {}", limit.name, tail.traffic), "s", limit.limit_s, *limit.holds, "",
                       fmt::format("below it {} nodes of {} no longer hold", winner.survivors->nodes, winner.candidate.node), true});
    }
  }
  if (!winner.one_fewer) return;
  const auto& tails = winner.one_fewer->tails;
  const auto failing = std::count_if(tails.begin(), tails.end(), [](const TailJudgement& tail) { return !tail.held(); });
  for (const TailJudgement& tail : tails) {
    if (failing != 1 || tail.held()) continue;
    for (const SloLimit& limit : tail.limits) {
      if (!limit.holds || !(*limit.holds > limit.limit_s)) continue;
      turns.push_back({fmt::format("{} of {}", limit.name, tail.traffic), "s", limit.limit_s, *limit.holds, "",
                       fmt::format("from it on {} nodes of {} are enough", winner.one_fewer->nodes, winner.candidate.node), true});
    }
  }
}

/// Beyond the load that the winner's survivors hold it needs a further node: is another fleet cheaper then?
void growth_turn(std::vector<Turn>& turns, const Plan& plan, const PlannedFleet& winner, const std::atomic<bool>* stop) {
  if (!winner.load || !winner.load->found.load || !winner.load->found.bounded) return;
  const double holds = *winner.load->found.load;
  const auto larger = fleet_figures(winner.candidate, winner.figures->nodes + 1, plan.settings, stop);
  if (!larger || !std::isfinite(money(*larger))) return;
  const PlannedFleet* next = nullptr;
  for (const PlannedFleet& each : plan.fleets) {
    if (&each == &winner || !each.holds() || !each.load || each.load->found.load.value_or(0) <= holds || money(*each.figures) >= money(*larger))
      continue;
    if (next == nullptr || money(*each.figures) < money(*next->figures)) next = &each;
  }
  turns.push_back({"growth", "", plan.settings.growth, holds, next == nullptr ? "" : next->candidate.name,
                   next == nullptr
                       ? fmt::format("beyond it {} needs {} nodes", winner.candidate.name, larger->nodes)
                       : fmt::format("beyond it {} needs {} nodes, and {} is cheaper", winner.candidate.name, larger->nodes, next->candidate.name),
                   true});
}

std::vector<Turn> turns_of(const Plan& plan, const std::atomic<bool>* stop) {
  std::vector<Turn> turns;
  const auto headline = plan.headline();
  if (plan.cheapest) {
    const PlannedFleet& winner = plan.fleets[*plan.cheapest];
    std::vector<SplitCost> costs{split(winner)};
    for (std::size_t i = 0; i < plan.fleets.size(); ++i) {
      if (i != *plan.cheapest && plan.fleets[i].holds() && std::isfinite(money(*plan.fleets[i].figures))) costs.push_back(split(plan.fleets[i]));
    }
    const scenario::Scenario& scenario = *winner.candidate.scenario;
    const scenario::Site& site = scenario.sites[scenario.clusters[scenario.pools.front().cluster].site];
    std::optional<double> price;
    if (site.price && site.price->series == nullptr && !site.price->written.currency.empty()) {
      const double joules = winner.figures->mean_watts[static_cast<int>(Boundary::facility)];
      price = winner.figures->cost->energy.value_or(0) / joules;
    }
    turns = cost_turns(costs, plan.currency, price, site.pue);
    growth_turn(turns, plan, winner, stop);
  }
  if (headline) slo_turns(turns, plan.fleets[*headline]);
  return turns;
}

/// Of a plan in which nothing holds, what came nearest.
std::string binding(const std::vector<PlannedFleet>& fleets) {
  const PlannedFleet* nearest = nullptr;
  for (const PlannedFleet& each : fleets) {
    if (nearest == nullptr || each.verdict > nearest->verdict) nearest = &each;
    const auto margin = [](const PlannedFleet& fleet) { return fleet.survivors ? judgement(fleet.survivors->tails).margin : -2; };
    if (each.verdict == FleetVerdict::not_held && nearest->verdict == FleetVerdict::not_held && margin(each) > margin(*nearest)) nearest = &each;
  }
  return nearest == nullptr ? "" : fmt::format("{}: {}", nearest->candidate.name, nearest->why);
}

}  // namespace

std::optional<std::size_t> Plan::headline() const {
  switch (settings.minimise) {
    case scenario::Minimise::cost:
      return cheapest;
    case scenario::Minimise::energy:
      return most_frugal;
    case scenario::Minimise::gpus:
      return smallest;
  }
  return std::nullopt;
}

std::string plan_hash(const scenario::PlanInput& input) {
  const scenario::PlanTable& plan = input.plan;
  const scenario::PlanLimits& limits = plan.limits;
  std::string content =
      fmt::format("{} {} {} {} {}", static_cast<int>(plan.minimise), plan.growth, plan.survive.nodes, plan.confidence.value, input.name);
  content +=
      fmt::format(" {} {} {} {} {} {}", limits.power ? limits.power->si() : -1, limits.nodes.value_or(-1), limits.gpus.value_or(-1),
                  limits.cost ? limits.cost->amount.si() : -1, limits.cost ? limits.cost->currency : "", limits.carbon ? limits.carbon->si() : -1);
  for (const auto& each : input.candidates) {
    content += fmt::format("\n{} {} {} {}\n{}", each.name, each.node, each.embodied_carbon ? each.embodied_carbon->si() : -1,
                           each.life ? each.life->si() : -1, each.scenario ? scenario::run_hash(*each.scenario) : each.fault);
  }
  return sha256(content).substr(0, 16);
}

std::optional<Plan> plan(const scenario::PlanInput& input, const PlanOptions& options) {
  Plan plan;
  plan.name = input.name;
  plan.seed = input.given.seed;
  plan.settings = input.plan;
  plan.notes = check_prices(input);
  std::vector<scenario::PlanCandidate> candidates = input.candidates;
  for (std::string& note : widen(candidates, input.plan)) plan.notes.push_back(std::move(note));
  std::vector<std::optional<PlannedFleet>> fleets(candidates.size());
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(options.threads, candidates.size(), [&](std::size_t i) {
    fleets[i] = plan_fleet(candidates[i], input.plan, options.stop);
    const std::lock_guard lock(mutex);
    if (options.progress) options.progress(++done, candidates.size());
  });
  std::vector<std::string> paths;
  for (auto& each : fleets) {
    if (!each) return std::nullopt;
    if (each->candidate.scenario) {
      if (plan.currency.empty()) plan.currency = each->candidate.scenario->currency.base;
      paths.insert(paths.end(), each->candidate.scenario->inputs.begin(), each->candidate.scenario->inputs.end());
    }
    plan.fleets.push_back(*std::move(each));
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string& path : paths) plan.inputs.push_back({path, sha256_of_file(path)});
  using Key = std::array<double, 3>;
  if (std::all_of(input.candidates.begin(), input.candidates.end(), priced)) {
    plan.cheapest = least(plan.fleets, [](const FleetFigures& f) { return Key{money(f), facility_joules(f), static_cast<double>(f.gpus)}; });
  }
  plan.most_frugal = least(plan.fleets, [](const FleetFigures& f) { return Key{facility_joules(f), money(f), static_cast<double>(f.gpus)}; });
  plan.smallest = least(plan.fleets, [](const FleetFigures& f) { return Key{static_cast<double>(f.gpus), money(f), facility_joules(f)}; });
  if (plan.most_frugal) {
    plan.turns = turns_of(plan, options.stop);
    if (options.stop != nullptr && options.stop->load()) return std::nullopt;
  } else {
    plan.binding = binding(plan.fleets);
  }
  return plan;
}

}  // namespace joulecast::study
