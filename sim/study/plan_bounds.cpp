#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"
#include "scenario/costs.hpp"
#include "scenario/simulate.hpp"
#include "study/plan_fleet.hpp"

namespace joulecast::study {

namespace {

using serving::Phase;

/// What keeps up is estimated from mean requests: only a fleet that is so many times too small is ruled out by it.
constexpr int kFarBeyond = 2;

double cost_in_base(const scenario::Scenario& scenario, const config::Priced<MoneyPerSecond>& limit) {
  return limit.amount.si() * scenario.currency.rate(limit.currency).value_or(1);
}

}  // namespace

FleetBounds fleet_bounds(const scenario::Scenario& one_node, const scenario::PlanTable& plan) {
  const scenario::Pool& pool = one_node.pools.front();
  const auto costs = scenario::pool_costs(one_node, pool);
  FleetBounds bounds;
  const serving::DecodeSegment& step = costs->decode(Phase::decode, 1, 1);
  bounds.step_s = (step.base_seconds.units() + step.attention_seconds_per_context.units()) / pool.engine.speculative.expected_tokens();
  const std::array<serving::Chunk, 1> token{{{1, 0}}};
  bounds.prompt_s = costs->mixed(Phase::prefill, token, 0, 0).total_seconds().units();
  const scenario::Forecast forecast = scenario::forecast(one_node);
  bounds.node_requests_per_s = forecast.pools.front().sustainable_requests_per_s;
  double offered = 0;
  for (const scenario::TrafficForecast& each : forecast.traffics) offered += each.requests_per_s;
  const bool closed = std::any_of(one_node.traffics.begin(), one_node.traffics.end(), [](const scenario::Traffic& traffic) {
    return !traffic.trace && traffic.arrivals.process == traces::Arrivals::Process::closed;
  });
  if (!closed && offered > 0 && bounds.node_requests_per_s > 0) {
    const double nodes = std::min(1e6, std::ceil(offered * plan.growth / bounds.node_requests_per_s));
    bounds.keeping_up_nodes = static_cast<int>(nodes) + static_cast<int>(plan.survive.nodes);
  }
  return bounds;
}

std::string ruled_out(const FleetBounds& bounds, const scenario::Scenario& one_node, const scenario::PlanTable& plan, std::optional<int> most,
                      const std::string& limit) {
  const bool measured_elsewhere = one_node.pools.front().engine.speculative.expected_tokens() > 1;
  for (const scenario::Traffic& traffic : one_node.traffics) {
    if (!traffic.slo) continue;
    if (traffic.slo->tpot && !measured_elsewhere && bounds.step_s > traffic.slo->tpot->si()) {
      return fmt::format("a decode step of one sequence takes {}, over the TPOT limit of {}", si(bounds.step_s, "s"),
                         si(traffic.slo->tpot->si(), "s"));
    }
    if (traffic.slo->ttft && bounds.prompt_s > traffic.slo->ttft->si()) {
      return fmt::format("a prompt of one token takes {}, over the TTFT limit of {}", si(bounds.prompt_s, "s"), si(traffic.slo->ttft->si(), "s"));
    }
  }
  if (!most) return "";
  const int down = static_cast<int>(plan.survive.nodes);
  if (*most <= down) return fmt::format("{} nodes at most, and {} may be down ({})", *most, down, limit);
  if (bounds.keeping_up_nodes && *bounds.keeping_up_nodes - down > kFarBeyond * (*most - down)) {
    return fmt::format("by estimate keeping up takes {} nodes, far beyond the {} that are allowed ({})", *bounds.keeping_up_nodes, *most, limit);
  }
  return "";
}

std::pair<std::optional<int>, std::string> most_nodes(const scenario::PlanLimits& limits, int gpus_per_node) {
  std::optional<int> most;
  std::string which;
  if (limits.nodes) {
    most = static_cast<int>(*limits.nodes);
    which = fmt::format("plan.limits.nodes = {}", *limits.nodes);
  }
  if (limits.gpus && (!most || *limits.gpus / gpus_per_node < *most)) {
    most = static_cast<int>(*limits.gpus / gpus_per_node);
    which = fmt::format("plan.limits.gpus = {}", *limits.gpus);
  }
  return {most, which};
}

std::string over_power(const FleetFigures& figures, const scenario::Result& result, const scenario::PlanLimits& limits, double load) {
  const std::string peak = fmt::format("the peak of {:g} s at {:.4g} x the load is {}", figures.peak_window_s, load, si(figures.peak_it_watts, "W"));
  if (limits.power && figures.peak_it_watts > limits.power->si())
    return fmt::format("{}, over plan.limits.power of {}", peak, si(limits.power->si(), "W"));
  for (const scenario::FeedResult& feed : result.feeds) {
    const double carried = std::isfinite(feed.load.peak_window) ? feed.load.peak_window : figures.peak_it_watts;
    if (carried > feed.usable_watts) {
      return fmt::format("feed \"{}\" would carry {} at {:.4g} x the load, and {} are usable", feed.name, si(carried, "W"), load,
                         si(feed.usable_watts, "W"));
    }
  }
  return "";
}

std::string over_budget(const FleetFigures& figures, const scenario::Scenario& scenario, const scenario::PlanLimits& limits) {
  if (limits.cost && figures.cost && figures.cost->total) {
    const double limit = cost_in_base(scenario, *limits.cost) * kMonth, cost = *figures.cost->total * kMonth;
    if (cost > limit) return fmt::format("it costs {0:.4g} {2} a month, over plan.limits.cost of {1:.4g} {2}", cost, limit, scenario.currency.base);
  }
  if (limits.carbon && figures.carbon_grams_per_s && *figures.carbon_grams_per_s * kMonth > limits.carbon->si()) {
    return fmt::format("its energy emits {} a month, over plan.limits.carbon of {}", si(*figures.carbon_grams_per_s * kMonth, "g"),
                       si(limits.carbon->si(), "g"));
  }
  return "";
}

}  // namespace joulecast::study
