#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/result.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::report {

/// What the stages of one training job do in one iteration, operation by operation and lane by lane; a lane is a stage of a class of replicas.
struct Iteration {
  std::string job;
  std::vector<std::string> lanes;  ///< "stage 0", or "replica 0, stage 0" where replicas differ
  std::vector<std::string> kinds;  ///< training::Spent, by number
  std::vector<std::int32_t> lane, kind;
  std::vector<double> start_s, duration_s;
  std::vector<double> clock_hz;  ///< 0 of a wait
  std::vector<double> joules;    ///< of the lane's GPUs
};

/// The first iteration of every job of a run, as it is charged; of at most eight classes of replicas. The result may have fewer jobs than the scenario.
std::vector<Iteration> iterations_of(const scenario::Scenario& scenario, const scenario::Result& result);

}  // namespace joulecast::report
