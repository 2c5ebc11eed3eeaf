#include "control/energy_belief.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace joulecast::control {

bool TokenRange::holds(const TokenRange& other) const {
  return least_input <= other.least_input && other.most_input <= most_input && least_output <= other.least_output && other.most_output <= most_output;
}

TokenRange TokenRange::with(const TokenRange& other) const {
  return {std::min(least_input, other.least_input), std::max(most_input, other.most_input), std::min(least_output, other.least_output),
          std::max(most_output, other.most_output)};
}

std::string TokenRange::text() const { return fmt::format("{} .. {} tokens in, {} .. {} out", least_input, most_input, least_output, most_output); }

double EnergyBelief::joules(double tokens_in, double tokens_out) const {
  return constant + input * tokens_in + output * tokens_out + product * tokens_in * tokens_out + input_squared * tokens_in * tokens_in +
         output_squared * tokens_out * tokens_out;
}

double EnergyBelief::clamped_joules(double tokens_in, double tokens_out) const {
  const double in = std::clamp(tokens_in, static_cast<double>(range.least_input), static_cast<double>(range.most_input));
  const double out = std::clamp(tokens_out, static_cast<double>(range.least_output), static_cast<double>(range.most_output));
  return std::max(0.0, joules(in, out));
}

double EnergyBelief::least_joules(const TokenRange& box) const {
  const std::array in{static_cast<double>(box.least_input), static_cast<double>(box.most_input)};
  const std::array out{static_cast<double>(box.least_output), static_cast<double>(box.most_output)};
  double least = joules(in[0], out[0]);
  const auto look_at = [&](double x, double y) {
    if (x >= in[0] && x <= in[1] && y >= out[0] && y <= out[1]) least = std::min(least, joules(x, y));
  };
  for (const double x : in) {
    for (const double y : out) look_at(x, y);
    if (output_squared > 0) look_at(x, -(output + product * x) / (2 * output_squared));
  }
  for (const double y : out) {
    if (input_squared > 0) look_at(-(input + product * y) / (2 * input_squared), y);
  }
  // grad e = 0: 2 input_squared x + product y = -input, product x + 2 output_squared y = -output; a minimum only where the determinant is positive.
  const double determinant = 4 * input_squared * output_squared - product * product;
  if (determinant > 0) {
    look_at((product * output - 2 * output_squared * input) / determinant, (product * input - 2 * input_squared * output) / determinant);
  }
  return least;
}

}  // namespace joulecast::control
