#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation.hpp"
#include "reference_serving/reference.hpp"
#include "serving/replica.hpp"

namespace joulecast::reference {

struct EngineRoadOptions {
  bool step_mode = false;
  Span report_period{0};       ///< 0: instant views
  Span fingerprint_period{0};  ///< 0: none
  engine::Grouping grouping = engine::Grouping::derived;
};

struct EngineRoadAnswer {
  Answer answer;
  std::vector<serving::ReplicaStatistics> statistics;
  engine::RunStats run;
  bool meters_exact = true;  ///< states cover the run, and classes are the active state, to the bit
};

/// The same problem on the program's own road: engine, source, router, replicas and meters, closed at the problem's horizon, which must be set.
EngineRoadAnswer solve_with_engine(const Problem& problem, const EngineRoadOptions& options);

}  // namespace joulecast::reference
