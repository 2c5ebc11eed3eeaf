#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace joulecast::fit {

/// Fits on the rows of `train` and predicts those of `test`, in their order.
using FitAndPredict = std::function<std::vector<double>(std::span<const std::size_t> train, std::span<const std::size_t> test)>;

/// k-fold predictions of rows 0 .. rows-1, each made by a fit that has not seen the row: row i is in fold i % folds. 2 <= folds <= rows.
std::vector<double> held_out_predictions(std::size_t rows, std::size_t folds, const FitAndPredict& fit);

/// The same with the folds given: all rows of a group leave together (a tensor parallelism, a model). `group` has one id a row.
std::vector<double> held_out_groups(std::span<const std::size_t> group, const FitAndPredict& fit);

/// Shares |predicted/measured - 1| of rows.
struct RelativeErrors {
  double mean = 0, median = 0, p80 = 0, p90 = 0, worst = 0;
  double bias = 0;  ///< mean of predicted/measured - 1
};
/// `measured` > 0, as many as predicted, at least one.
RelativeErrors relative_errors(std::span<const double> predicted, std::span<const double> measured);

/// The quantile of values (linear between order statistics: position share*(n-1)); `share` in [0, 1], at least one value.
double quantile(std::vector<double> values, double share);

}  // namespace joulecast::fit
