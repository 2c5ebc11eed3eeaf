#include "study/prediction_interval.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace joulecast::study {

namespace {

constexpr double kCovered = 0.8;

/// At position share*(n + 1) of 1 .. n, linear between.
double type_6(const std::vector<double>& sorted, double share) {
  const auto n = static_cast<double>(sorted.size());
  const double at = std::clamp(share * (n + 1), 1.0, n) - 1;
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

fit::Interval student(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = fit::student_t(kCovered, values.size() - 1) * std::sqrt(squares / (n - 1) * (1 + 1 / n));
  return {mean - half, mean + half};
}

}  // namespace

IntervalLaw interval_law(std::size_t draws) { return draws >= kQuantileDraws ? IntervalLaw::order_statistics : IntervalLaw::student; }

const char* name(IntervalLaw law) { return law == IntervalLaw::student ? "student_t_of_the_draws" : "quantiles_of_the_draws"; }

std::optional<fit::Interval> prediction_interval(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (interval_law(sorted.size()) == IntervalLaw::order_statistics) {
    return fit::Interval{type_6(sorted, (1 - kCovered) / 2), type_6(sorted, (1 + kCovered) / 2)};
  }
  if (!(sorted.front() > 0)) return student(sorted);
  if (sorted.front() == sorted.back()) return fit::Interval{sorted.front(), sorted.front()};
  for (double& value : sorted) value = std::log(value);
  const fit::Interval logarithms = student(sorted);
  return fit::Interval{std::exp(logarithms.low), std::exp(logarithms.high)};
}

}  // namespace joulecast::study
