#pragma once

#include <atomic>
#include <optional>

#include "study/plan.hpp"

namespace joulecast::study {

/// Everything about one candidate: bounds, the fewest nodes, figures, one node fewer, the load that still holds. nullopt where it was stopped.
std::optional<PlannedFleet> plan_fleet(const scenario::PlanCandidate& candidate, const scenario::PlanTable& plan, const std::atomic<bool>* stop);

/// What the candidate's fleet of so many nodes takes at the planned load; nullopt where it was stopped.
std::optional<FleetFigures> fleet_figures(const scenario::PlanCandidate& candidate, int nodes, const scenario::PlanTable& plan,
                                          const std::atomic<bool>* stop);

/// Bounds of a candidate in closed form.
FleetBounds fleet_bounds(const scenario::Scenario& one_node, const scenario::PlanTable& plan);
/// Why the bounds rule a candidate out; "" where they do not. `most` is the most nodes that the limits allow, `limit` which it is. What keeps up is an estimate,
/// which rules out only a fleet that is far too small.
std::string ruled_out(const FleetBounds& bounds, const scenario::Scenario& one_node, const scenario::PlanTable& plan, std::optional<int> most,
                      const std::string& limit);
/// The most nodes that the limits on nodes and GPUs allow, and which it is.
std::pair<std::optional<int>, std::string> most_nodes(const scenario::PlanLimits& limits, int gpus_per_node);
/// Which limit on power a fleet exceeds at a load, of the plan or of the feed it hangs on; "" where none. `load` is a factor on the scenario's.
std::string over_power(const FleetFigures& figures, const scenario::Result& result, const scenario::PlanLimits& limits, double load);
/// Which limit of the plan on cost or carbon a fleet exceeds; "" where none.
std::string over_budget(const FleetFigures& figures, const scenario::Scenario& scenario, const scenario::PlanLimits& limits);

}  // namespace joulecast::study
