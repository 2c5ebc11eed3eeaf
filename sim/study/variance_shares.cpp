#include "study/variance_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::study {

namespace {

constexpr std::size_t kSpareDraws = 10;

/// |t| that chance gives to any of so many coefficients in one study of twenty.
double least_t(std::size_t sources, std::size_t degrees_of_freedom) {
  return fit::student_t(1 - 0.05 / static_cast<double>(sources), degrees_of_freedom);
}

struct Moments {
  double mean = 0, variance = 0;
};
Moments moments(std::span<const double> values) {
  Moments m;
  for (const double value : values) m.mean += value / static_cast<double>(values.size());
  for (const double value : values) m.variance += (value - m.mean) * (value - m.mean) / static_cast<double>(values.size() - 1);
  return m;
}

std::vector<double> by_one_regression(std::span<const std::vector<double>> normals, std::span<const double> scaled) {
  const std::size_t sources = normals.front().size();
  std::vector<std::string> names;
  for (std::size_t s = 0; s < sources; ++s) names.push_back(fmt::format("source {}", s));
  fit::Design design(std::move(names));
  for (std::size_t d = 0; d < normals.size(); ++d) design.add(normals[d], scaled[d]);
  const fit::LinearFit found = fit::least_squares(design, fit::Intercept::fitted);
  const double least = least_t(sources, normals.size() - sources - 1);
  std::vector<double> shares;
  for (std::size_t s = 0; s < sources; ++s) {
    const double slope = found.coefficients[s], by_chance = found.covariance.standard_error(s);
    shares.push_back(std::abs(slope) > least * by_chance ? slope * slope - by_chance * by_chance : 0);
  }
  return shares;
}

std::vector<double> one_by_one(std::span<const std::vector<double>> normals, std::span<const double> scaled) {
  const auto n = static_cast<double>(normals.size());
  if (n <= 2) return std::vector<double>(normals.front().size(), 0.0);
  const double least = least_t(normals.front().size(), normals.size() - 2);
  std::vector<double> shares;
  for (std::size_t s = 0; s < normals.front().size(); ++s) {
    std::vector<double> column;
    for (const std::vector<double>& row : normals) column.push_back(row[s]);
    const Moments of_source = moments(column);
    double covariance = 0;
    for (std::size_t d = 0; d < column.size(); ++d) covariance += (column[d] - of_source.mean) * scaled[d] / (n - 1);
    const double squared = of_source.variance > 0 ? covariance * covariance / of_source.variance : 0;
    const double by_chance = (1 - squared) / (n - 2);
    shares.push_back(squared > least * least * by_chance ? squared - by_chance : 0);
  }
  return shares;
}

}  // namespace

VarianceShares variance_shares(std::span<const std::vector<double>> normals, std::span<const double> values) {
  JOULECAST_CHECK(normals.size() == values.size() && !values.empty(), "a row of normal numbers a value");
  VarianceShares result;
  const std::size_t sources = normals.front().size();
  result.of_source.assign(sources, 0.0);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return result;
  const Moments m = moments(values);
  std::vector<double> scaled;
  for (const double value : values) scaled.push_back((value - m.mean) / std::sqrt(m.variance));
  result.all_at_once = values.size() >= sources + kSpareDraws;
  if (sources > 0) result.of_source = result.all_at_once ? by_one_regression(normals, scaled) : one_by_one(normals, scaled);
  double sum = 0;
  for (double& share : result.of_source) sum += share = std::max(0.0, share);
  if (sum > 1) {
    for (double& share : result.of_source) share /= sum;
    sum = 1;
  }
  result.unexplained = 1 - sum;
  return result;
}

}  // namespace joulecast::study
