#pragma once

#include <iosfwd>

#include "scenario/result.hpp"

namespace joulecast::report {

/// requests.csv: a row a request that was kept, in the order of traffics and arrivals, with the columns traffic, number, arrival_s,
/// input_tokens, output_tokens (to generate), fate, queue_s, ttft_s, tpot_s, e2e_s, joules (attributed GPU joules), replica (over all
/// pools), preemptions. Times are exact to the nanosecond. A cell that a request has no value for is empty.
void write_requests_csv(const scenario::Result& result, std::ostream& out);

}  // namespace joulecast::report
