#pragma once

#include "scenario/scenario.hpp"
#include "traces/requests/length_mix.hpp"

namespace joulecast::scenario {

/// What the tokens in and out of a traffic's generated requests are drawn from; reads its files. A Bug for one that replays a trace.
traces::LengthMix lengths_of(const Traffic& traffic);

}  // namespace joulecast::scenario
