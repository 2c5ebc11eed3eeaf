#pragma once

#include <string>
#include <vector>

#include "scenario/load_plan.hpp"

namespace joulecast::study {

/// What to do about a traffic that is too short.
inline constexpr const char* kLongerTraffic =
    "take a longer time.duration, a longer trace or one with repeat = true, raise num_requests, or lower plan.confidence or the attainment";

/// "traffic "chat": to claim 99 % within its SLO with 95 % confidence takes 299 requests after the warm-up (Wilks 1941)".
std::string tail_claim(const scenario::Traffic& traffic, const scenario::PlanTable& plan);

/// Whether the traffics are long enough for what the plan claims of their tails: at least `least_requests` after the warm-up at the grown load, and five times as
/// long as a mean request takes at its TPOT limit, so that batches have filled. Generated traffic that is too short is widened: the duration of every scenario is
/// set to three times the requests needed, with a note. Throws UserError where a trace or a fixed number of requests is too short, cut at the
/// duration and at the warm-up as a run cuts it. What a closed loop sends is not known before it has run.
std::vector<std::string> widen(std::vector<scenario::PlanCandidate>& candidates, const scenario::PlanTable& plan);

}  // namespace joulecast::study
