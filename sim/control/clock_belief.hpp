#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/quantity.hpp"

namespace joulecast::control {

/// What an operator believes of a replica's steps at one clock, from profiling it alone:
///   decode step of n sequences that read c tokens:  seconds = s0 + s1 n + s2 c,  joules = j0 + j1 n + j2 c
///   prompt step of t tokens:                        seconds = p0 + p1 t,          joules = q0 + q1 t
struct ClockPoint {
  Hertz clock{};
  double decode_seconds[3] = {0, 0, 0}, decode_joules[3] = {0, 0, 0};
  double prompt_seconds[2] = {0, 0}, prompt_joules[2] = {0, 0};

  double decode_s(double sequences, double context) const { return decode_seconds[0] + decode_seconds[1] * sequences + decode_seconds[2] * context; }
  double decode_j(double sequences, double context) const { return decode_joules[0] + decode_joules[1] * sequences + decode_joules[2] * context; }
  double prompt_s(double tokens) const { return prompt_seconds[0] + prompt_seconds[1] * tokens; }
  double prompt_j(double tokens) const { return prompt_joules[0] + prompt_joules[1] * tokens; }
};

/// A belief a clock, rising clocks.
struct ClockBelief {
  std::vector<ClockPoint> points;
  double worst_error = 0;    ///< largest relative residual of a fitted second
  double tokens_a_step = 1;  ///< that a decode step gives each of its sequences, on average

  /// The points between two clocks, both included.
  std::span<const ClockPoint> between(Hertz least, Hertz most) const;
};

/// A measured step at one clock.
struct ClockedStep {
  double sequences = 0, context = 0;  ///< of a decode step, or
  double prompt_tokens = 0;           ///< above 0: of a prompt step
  double seconds = 0, joules = 0;     ///< above 0
};

/// Least squares of the relative residuals at one clock, no coefficient below 0. Raises `worst_error` to the largest residual of a second.
ClockPoint fit_clock_point(Hertz clock, std::span<const ClockedStep> steps, double& worst_error);

}  // namespace joulecast::control
