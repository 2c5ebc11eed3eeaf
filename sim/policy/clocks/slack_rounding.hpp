#pragma once

#include "policy/clocks/point_levels.hpp"
#include "policy/clocks/slack_program.hpp"

namespace joulecast::policy {

/// Turns a relaxed plan into one of profiled points whose makespan is at most `deadline`, in whole fixed-point time. Two ways to a first plan:
/// - operation by operation in graph order, the cheapest point that ends before its successors' relaxed starts: what one operation leaves unused the
///   next one gets, so those that the relaxed plan puts between two points alternate between them;
/// - every operation at one of the points about its relaxed duration (the slower one, the nearer one, the one that keeps its stage's sum of
///   durations), and the longest path made faster where that costs least until the deadline is kept.
/// Each is tried with all points and with those on the hull alone, between which a relaxed plan mixes. The slack that is left is used up an operation
/// at a time. The cheapest plan is improved by exchanges: an operation is made faster and the slack that this frees used up elsewhere, or slower and
/// the deadline kept by what costs least; a change stays where the sum falls. Exchanges end when none helps, or after `passes` passes over the graph.
/// `deadline` must not be below the makespan of all shortest points.
training::Plan round_to_points(const OperationTimes& times, const EffectiveCosts& costs, const SlackProgram::Relaxed& relaxed, FixedTime deadline,
                               long passes);

/// How many passes are worth it for one plan: about as much computing whatever the size of the graph (0.7 CPU s).
long exchange_passes(const OperationTimes& times);

}  // namespace joulecast::policy
