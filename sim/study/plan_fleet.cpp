#include "study/plan_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "scenario/simulate.hpp"
#include "study/plan_length.hpp"
#include "study/slo_load.hpp"

namespace joulecast::study {

namespace {

/// No fleet of so many times the nodes that keep up is looked at.
constexpr int kMostOverKeepingUp = 8;
constexpr int kMostWithoutBound = 64;
constexpr double kLoadPrecision = 0.02;

struct Stopped {};

/// Simulates fleets of one candidate.
class Fleet {
 public:
  Fleet(const scenario::PlanCandidate& candidate, const scenario::PlanTable& plan, const std::atomic<bool>* stop)
      : candidate_(candidate), plan_(plan), stop_(stop) {}

  scenario::Result run(const scenario::Scenario& scenario, bool requests) const {
    scenario::RunOptions options;
    options.keep_requests = requests;
    options.stop = stop_;
    scenario::Result result = scenario::simulate(scenario, options);
    if (result.partial) throw Stopped{};
    return result;
  }

  /// The survivors of a fleet of so many nodes at a load.
  std::vector<TailJudgement> tails(int nodes, double load) const {
    const int up = nodes - static_cast<int>(plan_.survive.nodes);
    const scenario::Scenario scenario = with_load(scenario::with_nodes(*candidate_.scenario, up), load);
    return judge_tails(scenario, run(scenario, true), plan_.confidence.value);
  }

  /// Of all nodes at a load; `over`, where given, becomes the limit on power that the fleet exceeds there.
  FleetFigures figures(int nodes, double load, std::string* over) const {
    const scenario::Scenario scenario = with_load(scenario::with_nodes(*candidate_.scenario, nodes), load);
    const scenario::Result result = run(scenario, false);
    FleetFigures figures = figures_of_fleet(scenario, result, candidate_.embodied_carbon, candidate_.life);
    if (over != nullptr) *over = over_power(figures, result, plan_.limits, load);
    return figures;
  }

 private:
  const scenario::PlanCandidate& candidate_;
  const scenario::PlanTable& plan_;
  const std::atomic<bool>* stop_;
};

/// "chat: ttft", of the traffic that is furthest from holding.
std::string worst_of(const std::vector<TailJudgement>& tails) {
  const auto worst =
      std::min_element(tails.begin(), tails.end(), [](const TailJudgement& a, const TailJudgement& b) { return a.margin() < b.margin(); });
  if (worst == tails.end()) return "";
  return worst->traffic + (worst->worst().empty() ? "" : ": " + worst->worst());
}

/// The search begins at the grown load, which the fleet has held.
HeldLoad held_load(const Fleet& fleet, const scenario::Scenario& scenario, int nodes, double growth) {
  HeldLoad held;
  std::map<double, std::string> failed;
  LoadBounds bounds = load_bounds(scenario);
  bounds.precision = kLoadPrecision;
  bounds.least /= growth;
  bounds.most /= growth;
  held.found = search_load(
      [&](double factor) {
        const auto tails = fleet.tails(nodes, factor * growth);
        const Judgement judged = judgement(tails);
        if (!judged.held) failed[factor] = worst_of(tails);
        return judged;
      },
      bounds);
  if (held.found.load) *held.found.load *= growth;
  for (TriedLoad& each : held.found.tried) each.load *= growth;
  if (!failed.empty()) held.fails_first = failed.begin()->second;
  return held;
}

/// What no number of nodes helps, in words.
std::string not_held(const std::vector<TailJudgement>& tails, int nodes, const std::string& limit) {
  std::string text = fmt::format("{} nodes do not hold{}", nodes, limit.empty() ? "" : " (" + limit + ")");
  for (const TailJudgement& each : tails) {
    if (each.held()) continue;
    text += fmt::format("; traffic \"{}\": {:.4g} % within its SLO of {} judged, {} miss and {} may", each.traffic, 100 * each.share, each.judged,
                        each.misses, std::max<std::int64_t>(0, each.allowed));
    if (!each.worst().empty()) text += ", most by " + each.worst();
  }
  return text;
}

/// Where not even the largest fleet holds, too few requests may be why: throws then. Of an open loop that was overwhelmed some are still under way, so a miss
/// decides; of a closed one nothing tells beforehand how many it sends.
void check_long_enough(const scenario::Scenario& scenario, const std::vector<TailJudgement>& tails, int nodes, const scenario::PlanTable& plan) {
  for (const scenario::Traffic& traffic : scenario.traffics) {
    const bool closed = !traffic.trace && traffic.arrivals.process == traces::Arrivals::Process::closed;
    for (const TailJudgement& tail : tails) {
      if (tail.traffic != traffic.name || tail.allowed >= 0 || (tail.misses > 0 && !closed)) continue;
      throw UserError(traffic.slo->place, fmt::format("{}, and with {} nodes {} were judged", tail_claim(traffic, plan), nodes, tail.judged),
                      kLongerTraffic);
    }
  }
}

void decide(PlannedFleet& planned, const scenario::PlanTable& plan, const std::atomic<bool>* stop) {
  const scenario::Scenario& one = *planned.candidate.scenario;
  const auto [allowed, limit] = most_nodes(plan.limits, planned.gpus_per_node);
  planned.bounds = fleet_bounds(one, plan);
  planned.why = ruled_out(*planned.bounds, one, plan, allowed, limit);
  if (!planned.why.empty()) {
    planned.verdict = FleetVerdict::ruled_out;
    return;
  }
  const Fleet fleet(planned.candidate, plan, stop);
  const int least = static_cast<int>(plan.survive.nodes) + 1, guess = planned.bounds->keeping_up_nodes.value_or(least);
  const int looked_at = planned.bounds->keeping_up_nodes ? kMostOverKeepingUp * guess : kMostWithoutBound + least;
  const int most = allowed ? std::min(*allowed, looked_at) : looked_at;
  std::map<int, std::vector<TailJudgement>> seen;
  planned.found = search_nodes(
      [&](int nodes) {
        auto tails = fleet.tails(nodes, plan.growth);
        const Judgement judged = judgement(tails);
        seen[nodes] = std::move(tails);
        return judged;
      },
      least, guess, most);
  if (!planned.found.nodes) {
    check_long_enough(one, seen.at(most), most, plan);
    planned.verdict = FleetVerdict::not_held;
    const std::string looked = planned.bounds->keeping_up_nodes ? fmt::format("{} times what keeps up", kMostOverKeepingUp) : "no more are tried";
    planned.why = not_held(seen.at(most), most, allowed && most == *allowed ? limit : looked);
    planned.survivors = SurvivorRun{most, seen.at(most)};
    return;
  }
  const int nodes = *planned.found.nodes;
  planned.survivors = SurvivorRun{nodes, seen.at(nodes)};
  if (const auto fewer = seen.find(nodes - 1); fewer != seen.end()) planned.one_fewer = SurvivorRun{nodes - 1, fewer->second};
  planned.figures = fleet.figures(nodes, 1, &planned.why);
  if (planned.why.empty() && plan.growth > 1 && (plan.limits.power || !one.feeds.empty())) {
    planned.grown_peak_it_watts = fleet.figures(nodes, plan.growth, &planned.why).peak_it_watts;
  }
  if (planned.why.empty()) planned.why = over_budget(*planned.figures, one, plan.limits);
  planned.verdict = planned.why.empty() ? FleetVerdict::holds : FleetVerdict::over_limit;
  if (planned.holds()) planned.load = held_load(fleet, one, nodes, plan.growth);
}

}  // namespace

const char* name(FleetVerdict verdict) {
  constexpr const char* names[] = {"does_not_fit", "ruled_out", "not_held", "over_limit", "holds"};
  return names[static_cast<int>(verdict)];
}

std::optional<PlannedFleet> plan_fleet(const scenario::PlanCandidate& candidate, const scenario::PlanTable& plan, const std::atomic<bool>* stop) {
  PlannedFleet planned;
  planned.candidate = candidate;
  if (!candidate.scenario) {
    planned.why = candidate.fault;
    return planned;
  }
  const scenario::Pool& pool = candidate.scenario->pools.front();
  const scenario::Cluster& cluster = candidate.scenario->clusters[pool.cluster];
  planned.gpu = cluster.gpu.name;
  planned.gpus_per_node = cluster.node.gpus;
  planned.replicas_per_node = pool.replicas;
  planned.tensor_parallel_size = pool.tensor_parallel_size;
  try {
    decide(planned, plan, stop);
  } catch (const Stopped&) {
    return std::nullopt;
  }
  return planned;
}

std::optional<FleetFigures> fleet_figures(const scenario::PlanCandidate& candidate, int nodes, const scenario::PlanTable& plan,
                                          const std::atomic<bool>* stop) {
  try {
    return Fleet(candidate, plan, stop).figures(nodes, 1, nullptr);
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace joulecast::study
