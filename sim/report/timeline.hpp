#pragma once

#include <string>

#include "scenario/result.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::report {

/// One iteration of each job of a run, the first, as trace events that Perfetto and chrome://tracing open ("" without a job): a process a class of
/// replicas (the first eight), a lane a stage. A pass is a slice named by its clock, A for the highest in use, with the pass itself nested in it:
/// Perfetto colours by name without digits, so the outer slices' colours are the clocks'; `cname` says the same to older viewers. Waits are slices of
/// their own; a counter a stage follows its watts. Times are microseconds cut to whole nanoseconds, so slices of a lane nest or follow one another.
std::string timeline_json(const scenario::Scenario& scenario, const scenario::Result& result);

}  // namespace joulecast::report
