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
/// Why the bounds rule a candidate out; "" where they do not. `most` is the most nodes that the limits allow.
std::string ruled_out(const FleetBounds& bounds, const scenario::Scenario& one_node, const scenario::PlanTable& plan, std::optional<int> most);
/// The most nodes that the limits on nodes and GPUs allow, and which it is.
std::pair<std::optional<int>, std::string> most_nodes(const scenario::PlanLimits& limits, int gpus_per_node);
/// Which limit a fleet exceeds: of the plan or of the feed it hangs on; "" where none.
std::string over_limit(const FleetFigures& figures, const scenario::Scenario& scenario, const scenario::Result& result,
                       const scenario::PlanLimits& limits);

}  // namespace joulecast::study
