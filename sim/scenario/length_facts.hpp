#pragma once

#include "control/energy_belief.hpp"

namespace joulecast::scenario {

struct Traffic;

/// How long a traffic's requests are, in tokens.
struct LengthFacts {
  control::TokenRange range;
  double mean_input = 0, mean_output = 0;
};

/// Of the histograms, or of the whole trace, which is read once (about 0.2 us a request). UserError for a faulty file.
LengthFacts length_facts(const Traffic& traffic);

}  // namespace joulecast::scenario
