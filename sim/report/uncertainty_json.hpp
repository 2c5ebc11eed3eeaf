#pragma once

#include <nlohmann/json.hpp>

#include "study/uncertainty.hpp"

namespace joulecast::report {

/// `interval80` of summary.json from draws: {energy_joules{gpu: [low, high], ..}, .., traffic{NAME{ttft_s{p99: [..]}}}, ..}, in the shapes of summary.json.
nlohmann::ordered_json drawn_intervals(const study::Uncertainty& known);

/// `uncertainty` of summary.json: draws, seed, method, intervals by key, sources with their shares of each figure's variance (from a thousandth on), and what is
/// left.
nlohmann::ordered_json uncertainty_json(const study::Uncertainty& known);

}  // namespace joulecast::report
