#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fit/covariance.hpp"

namespace joulecast::fit {

/// A parameter of a model that is not linear, with where the search starts and the range it stays in.
struct Parameter {
  std::string name;
  double start = 0;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// Writes the residuals (model - measured, divided by what makes them comparable) at some parameters; all finite inside the bounds.
using Residuals = std::function<void(std::span<const double> parameters, std::span<double> residuals)>;

struct SearchOptions {
  int iterations = 500;
  double tolerance = 1e-12;  ///< ends where a step lowers the sum, or moves each parameter, by less than this share
};

struct NonlinearFit {
  std::vector<double> parameters;
  double sum_of_squares = 0;  ///< of the residuals
  bool converged = false;
  int iterations = 0;
  Covariance covariance;  ///< linearised at the result; parameters at a bound are held
};

/// Least squares by Levenberg-Marquardt (Marquardt 1963) with MINPACK's column scaling, central differences and steps projected onto the bounds. A
/// local optimum: start near the answer. Throws UserError where the rows do not identify a parameter at the result, naming those that cannot be
/// told apart.
NonlinearFit levenberg_marquardt(const std::vector<Parameter>& parameters, std::size_t rows, const Residuals& residuals,
                                 const SearchOptions& options = {});

}  // namespace joulecast::fit
