#pragma once

#include "policy/clocks/effective_cost.hpp"
#include "policy/clocks/operation_times.hpp"
#include "policy/clocks/slack_program.hpp"

namespace joulecast::policy {

/// Depth first through the plans within `deadline` that may be cheaper than `plan`, for `nodes` nodes at most: on small graphs that is all of them,
/// and the best is the optimum. By the relaxed plan's prices f, a point k of operation i adds at least `c_i(k) + f_i*t_i(k)` minus its least over all
/// points to the bound (Lagrange; reduced costs), so that plans whose sum of these exceeds what `plan` is above the bound are left out.
training::Plan search_plans(const OperationTimes& times, const EffectiveCosts& costs, const SlackProgram::Relaxed& relaxed, Waiting waiting,
                            FixedTime deadline, training::Plan plan, long nodes);

}  // namespace joulecast::policy
