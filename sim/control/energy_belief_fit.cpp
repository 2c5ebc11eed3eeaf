#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "control/energy_belief.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::control {

EnergyBelief fit_energy_belief(std::span<const ProfiledRequest> rows, const TokenRange& range, std::string source) {
  // Lengths in units of the largest: the columns are of one size.
  double most_in = 1, most_out = 1;
  for (const ProfiledRequest& row : rows) {
    most_in = std::max(most_in, row.input);
    most_out = std::max(most_out, row.output);
  }
  fit::Design design({"tokens in", "tokens out", "tokens in x out", "tokens in squared", "tokens out squared"});
  for (const ProfiledRequest& row : rows) {
    const double x = row.input / most_in, y = row.output / most_out;
    design.add(std::array{x, y, x * y, x * x, y * y}, row.joules, 1 / (row.joules * row.joules));
  }
  const fit::LinearFit fitted = fit::least_squares(design, fit::Intercept::fitted);
  EnergyBelief belief;
  belief.constant = fitted.intercept;
  belief.input = fitted.coefficients[0] / most_in;
  belief.output = fitted.coefficients[1] / most_out;
  belief.product = fitted.coefficients[2] / (most_in * most_out);
  belief.input_squared = fitted.coefficients[3] / (most_in * most_in);
  belief.output_squared = fitted.coefficients[4] / (most_out * most_out);
  belief.range = range;
  belief.source = std::move(source);
  double squares = 0, worst = 0;
  for (const ProfiledRequest& row : rows) {
    const double relative = belief.joules(row.input, row.output) / row.joules - 1;
    squares += relative * relative;
    worst = std::max(worst, std::abs(relative));
  }
  belief.fit_error = std::sqrt(squares / static_cast<double>(rows.size()));
  belief.worst_error = worst;
  return belief;
}

}  // namespace joulecast::control
