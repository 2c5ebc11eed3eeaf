#pragma once

#include <string>
#include <vector>

#include "scenario/load_plan.hpp"

namespace joulecast::study {

/// Whether the traffics are long enough for what the plan claims of their tails: at least `least_requests` after the warm-up at the grown load, and five times as
/// long as a mean request takes at its TPOT limit, so that batches have filled. Generated traffic that is too short is widened: the duration of every scenario is
/// set to three times the requests needed, with a note. Throws UserError where a trace, a fixed number of requests or an end of its own is too short.
std::vector<std::string> widen(std::vector<scenario::PlanCandidate>& candidates, const scenario::PlanTable& plan);

}  // namespace joulecast::study
