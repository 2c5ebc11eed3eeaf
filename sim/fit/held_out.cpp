#include "fit/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"

namespace joulecast::fit {

std::vector<double> held_out_groups(std::span<const std::size_t> group, const FitAndPredict& fit) {
  const std::set<std::size_t> ids(group.begin(), group.end());
  JOULECAST_CHECK(ids.size() >= 2, "held-out errors need two groups");
  std::vector<double> predictions(group.size());
  for (const std::size_t id : ids) {
    std::vector<std::size_t> train;
    std::vector<std::size_t> test;
    for (std::size_t i = 0; i < group.size(); ++i) (group[i] == id ? test : train).push_back(i);
    const std::vector<double> predicted = fit(train, test);
    JOULECAST_CHECK(predicted.size() == test.size(), "another number of predictions than rows");
    for (std::size_t i = 0; i < test.size(); ++i) predictions[test[i]] = predicted[i];
  }
  return predictions;
}

std::vector<double> held_out_predictions(std::size_t rows, std::size_t folds, const FitAndPredict& fit) {
  JOULECAST_CHECK(folds >= 2 && folds <= rows, "folds outside 2 .. rows");
  std::vector<std::size_t> group(rows);
  for (std::size_t i = 0; i < rows; ++i) group[i] = i % folds;
  return held_out_groups(group, fit);
}

double quantile(std::vector<double> values, double share) {
  JOULECAST_CHECK(!values.empty() && share >= 0 && share <= 1, "a quantile of nothing, or outside 0 .. 1");
  std::sort(values.begin(), values.end());
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

RelativeErrors relative_errors(std::span<const double> predicted, std::span<const double> measured) {
  JOULECAST_CHECK(predicted.size() == measured.size() && !measured.empty(), "errors of nothing");
  RelativeErrors result;
  std::vector<double> errors;
  const double n = static_cast<double>(measured.size());
  for (std::size_t i = 0; i < measured.size(); ++i) {
    JOULECAST_CHECK(measured[i] > 0, "a relative error of a figure that is not positive");
    const double error = predicted[i] / measured[i] - 1;
    result.bias += error / n;
    result.mean += std::abs(error) / n;
    errors.push_back(std::abs(error));
  }
  result.median = quantile(errors, 0.5);
  result.p80 = quantile(errors, 0.8);
  result.p90 = quantile(errors, 0.9);
  result.worst = quantile(errors, 1);
  return result;
}

}  // namespace joulecast::fit
