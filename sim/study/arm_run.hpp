#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "study/compare.hpp"

namespace joulecast::study {

/// What one run of one arm gives, before the figures of all are lined up.
struct RawRun {
  ArmRun run;
  std::vector<FigureValue> figures;        ///< empty where the SLO does not hold at any load
  scenario::Scenario scenario;             ///< at its load
  std::optional<scenario::Result> result;  ///< without its requests
};

/// Runs a scenario as the comparison holds it: as it is, or at the load at which its SLO just holds. nullopt where it was stopped.
std::optional<RawRun> run_arm(const scenario::Scenario& scenario, const scenario::CompareTable& settings, const std::atomic<bool>* stop);

}  // namespace joulecast::study
