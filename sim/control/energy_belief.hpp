#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace joulecast::control {

/// A box of prompt and answer lengths in tokens, bounds included.
struct TokenRange {
  std::int64_t least_input = 1, most_input = 1;
  std::int64_t least_output = 1, most_output = 1;

  bool holds(const TokenRange& other) const;
  /// The smallest box that holds both.
  TokenRange with(const TokenRange& other) const;
  /// "8 .. 2048 tokens in, 8 .. 2048 out".
  std::string text() const;
};

/// What a router believes a request costs, GPU joules, from its lengths in tokens:
///
///   e(tin, tout) = constant + input tin + output tout + product tin tout + input_squared tin^2 + output_squared tout^2
///
/// The terms in tin, tout and their product are those of Wilkins, Keshav and Mortier, "Offline Energy-Optimal LLM Serving" (HotCarbon 2024). A decode
/// step reads the context so far, so attention costs sum_i (tin + i) = tin tout + tout^2/2: without the square of tout their fit is 4 to 5 times too
/// high for short requests and negative for some. It holds inside `range` only.
struct EnergyBelief {
  double constant = 0, input = 0, output = 0, product = 0, input_squared = 0, output_squared = 0;
  TokenRange range;
  std::string source;                 ///< "fitted alone on a replica", "wilkins-2024"
  std::optional<double> fit_error;    ///< of one fitted here the root mean square of the relative residuals, of a file's what it states
  std::optional<double> worst_error;  ///< the largest relative residual

  /// Joules by the equation, wherever the lengths lie.
  double joules(double tokens_in, double tokens_out) const;
  /// Lengths outside `range` are taken at its edge, negative joules as 0.
  double clamped_joules(double tokens_in, double tokens_out) const;
  /// The least joules over a box of real lengths: at a corner, at the vertex of an edge or at the stationary point inside.
  double least_joules(const TokenRange& box) const;
};

/// One row of a token sweep.
struct ProfiledRequest {
  double input = 0, output = 0;  ///< tokens
  double joules = 0;             ///< above 0
};

/// Least squares of the relative residuals (weights 1/e^2) with all six terms; `range` becomes the belief's. Throws UserError where the rows do not
/// identify a term: at least three lengths on either axis.
EnergyBelief fit_energy_belief(std::span<const ProfiledRequest> rows, const TokenRange& range, std::string source);

/// Beliefs from a TOML file (workloads/beliefs, or written by `joulecast calibrate tokens`): that of the model which has one of `names`, capitals or
/// not, with or without its organisation. UserError at `place` where
/// the file knows none of them, with those that it knows; faults of the file at their place.
EnergyBelief read_energy_belief(const std::string& path, std::span<const std::string> names, const Place& place);

}  // namespace joulecast::control
