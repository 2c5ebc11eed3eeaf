#pragma once

#include <hdf5.h>

#include <vector>

#include "report/iteration.hpp"
#include "scenario/result.hpp"

namespace joulecast::report {

/// Adds to a results.h5 with its groups /pool/NAME what requests did over time and the curves of their latencies (results_h5.hpp has the layout).
void write_requests_h5(hid_t file, const scenario::Result& result);
/// Adds /job/NAME/iteration.
void write_iterations_h5(hid_t file, const std::vector<Iteration>& iterations);

}  // namespace joulecast::report
