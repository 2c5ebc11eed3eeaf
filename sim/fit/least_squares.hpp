#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fit/covariance.hpp"

namespace joulecast::fit {

/// Rows of a linear model y = sum_j coefficient_j * x_j (+ intercept). A weight is the inverse of a row's relative variance: weight 1/y^2 fits
/// relative errors.
class Design {
 public:
  /// `names`: one a column, as messages and results call them.
  explicit Design(std::vector<std::string> names) : names_(std::move(names)) {}

  /// `row` has one value a column; all values finite, `weight` > 0.
  void add(std::span<const double> row, double y, double weight = 1);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return targets_.size(); }
  std::size_t columns() const { return names_.size(); }
  double at(std::size_t row, std::size_t column) const { return values_[row * names_.size() + column]; }
  double target(std::size_t row) const { return targets_[row]; }
  double weight(std::size_t row) const { return weights_[row]; }
  /// The rows with these numbers, in that order.
  Design only(std::span<const std::size_t> rows) const;

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;  ///< row by row
  std::vector<double> targets_, weights_;
};

/// Whether a constant is fitted beside the columns.
enum class Intercept : unsigned char { none, fitted };

struct LinearFit {
  std::vector<double> coefficients;  ///< one a column
  double intercept = 0;              ///< 0 where none is fitted
  double sum_of_squares = 0;         ///< sum of weight * residual^2
  double r2_centred = 0;             ///< 1 - SS/(sum w (y - mean)^2): what the model explains beyond the weighted mean; NaN for equal targets
  double r2_uncentred = 0;           ///< 1 - SS/(sum w y^2): beyond zero, larger than the centred one; what papers without intercept print
  Covariance covariance;             ///< of the coefficients, then of the intercept where fitted

  double predict(std::span<const double> row) const;
};

/// Weighted least squares by QR; the covariance is that of independent errors with variance proportional to 1/weight. Throws UserError where the
/// rows do not identify a coefficient, naming those that cannot be told apart.
LinearFit least_squares(const Design& design, Intercept intercept);

/// The same with no coefficient (nor intercept) below 0: the optimum by the active sets of Lawson and Hanson ("Solving Least Squares Problems",
/// chapter 23). Coefficients at 0 have no interval; the others' covariance holds with these left out. Columns must be identified as above.
LinearFit non_negative_least_squares(const Design& design, Intercept intercept);

}  // namespace joulecast::fit
