#pragma once

#include <array>
#include <optional>

#include "base/time.hpp"
#include "scenario/result.hpp"
#include "serving/requests.hpp"

namespace joulecast::scenario {

/// Whether the requests that wait (arrived, no step begun) grow through the run: their mean is a twentieth larger in each quarter of the time from the
/// warm-up to the last arrival than in the one before, and at its end more wait than a twentieth of what came in that time, and more than ten. Nothing else is
/// called an overload: a queue that a burst leaves behind and that then shrinks is none.
std::optional<Overload> find_overload(const serving::RequestTable& requests, Time warmup, Time end);

/// It as a sentence.
std::string overload_note(const Overload& overload);

}  // namespace joulecast::scenario
