#include "fit/least_squares.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "fit/identification.hpp"

namespace joulecast::fit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRankTolerance = 1e-12;

/// Rows times the root of their weights, with the intercept as a last column of ones.
struct System {
  MatrixXd a;
  VectorXd y;
  std::vector<std::string> names;

  System(const Design& design, Intercept intercept) : names(design.names()) {
    const Index rows = static_cast<Index>(design.rows());
    const Index columns = static_cast<Index>(design.columns());
    const bool constant = intercept == Intercept::fitted;
    if (constant) names.emplace_back("intercept");
    a.resize(rows, columns + (constant ? 1 : 0));
    y.resize(rows);
    for (Index i = 0; i < rows; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double root = std::sqrt(design.weight(row));
      for (Index j = 0; j < columns; ++j) a(i, j) = root * design.at(row, static_cast<std::size_t>(j));
      if (constant) a(i, columns) = root;
      y[i] = root * design.target(row);
    }
  }

  /// The columns with `free`, and their names.
  MatrixXd columns(const std::vector<bool>& free) const {
    MatrixXd result(a.rows(), 0);
    for (Index j = 0; j < a.cols(); ++j) {
      if (!free[static_cast<std::size_t>(j)]) continue;
      result.conservativeResize(Eigen::NoChange, result.cols() + 1);
      result.col(result.cols() - 1) = a.col(j);
    }
    return result;
  }
  std::vector<std::string> names_of(const std::vector<bool>& free) const {
    std::vector<std::string> result;
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (free[j]) result.push_back(names[j]);
    }
    return result;
  }
  /// The optimum over the free columns, 0 for the others.
  VectorXd solve(const std::vector<bool>& free) const {
    const auto triangle = detail::identified_triangle(columns(free), y, names_of(free), kRankTolerance);
    const VectorXd some = triangle.scale.cwiseInverse().asDiagonal() * triangle.r.triangularView<Eigen::Upper>().solve(triangle.target).eval();
    VectorXd all = VectorXd::Zero(a.cols());
    Index next = 0;
    for (Index j = 0; j < a.cols(); ++j) {
      if (free[static_cast<std::size_t>(j)]) all[j] = some[next++];
    }
    return all;
  }
};

LinearFit summary(const System& system, const Design& design, Intercept intercept, const VectorXd& x, const std::vector<bool>& free) {
  LinearFit fit;
  fit.coefficients.assign(x.data(), x.data() + design.columns());
  fit.intercept = intercept == Intercept::fitted ? x[x.size() - 1] : 0;
  fit.sum_of_squares = (system.y - system.a * x).squaredNorm();
  double weights = 0;
  double sum = 0;
  for (std::size_t i = 0; i < design.rows(); ++i) {
    weights += design.weight(i);
    sum += design.weight(i) * design.target(i);
  }
  double spread = 0;
  for (std::size_t i = 0; i < design.rows(); ++i) {
    const double distance = design.target(i) - sum / weights;
    spread += design.weight(i) * distance * distance;
  }
  fit.r2_centred = spread > 0 ? 1 - fit.sum_of_squares / spread : std::numeric_limits<double>::quiet_NaN();
  fit.r2_uncentred = 1 - fit.sum_of_squares / system.y.squaredNorm();

  const auto inverse =
      detail::inverse_normal_matrix(detail::identified_triangle(system.columns(free), system.y, system.names_of(free), kRankTolerance));
  const std::size_t n = free.size();
  const std::size_t freedom = design.rows() - static_cast<std::size_t>(inverse.rows());
  const double variance = freedom > 0 ? fit.sum_of_squares / static_cast<double>(freedom) : 0;
  std::vector<double> values(n * n);
  std::vector<bool> held(n);
  Index row = 0;
  for (std::size_t i = 0; i < n; ++i) {
    held[i] = !free[i];
    Index column = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (free[i] && free[j]) values[i * n + j] = variance * inverse(row, column);
      if (free[j]) ++column;
    }
    if (free[i]) ++row;
  }
  fit.covariance = Covariance(system.names, std::move(values), std::move(held), freedom);
  return fit;
}

}  // namespace

void Design::add(std::span<const double> row, double y, double weight) {
  JOULECAST_CHECK(row.size() == names_.size(), "a row with another number of columns");
  JOULECAST_CHECK(std::isfinite(y) && std::isfinite(weight) && weight > 0, "a row without a finite target and a positive weight");
  for (const double value : row) JOULECAST_CHECK(std::isfinite(value), "a row with a value that is not finite");
  values_.insert(values_.end(), row.begin(), row.end());
  targets_.push_back(y);
  weights_.push_back(weight);
}

Design Design::only(std::span<const std::size_t> rows) const {
  Design result(names_);
  for (const std::size_t row : rows) {
    result.add(std::span(values_).subspan(row * names_.size(), names_.size()), targets_[row], weights_[row]);
  }
  return result;
}

double LinearFit::predict(std::span<const double> row) const {
  JOULECAST_CHECK(row.size() == coefficients.size(), "a row with another number of columns");
  double sum = intercept;
  for (std::size_t j = 0; j < row.size(); ++j) sum += coefficients[j] * row[j];
  return sum;
}

LinearFit least_squares(const Design& design, Intercept intercept) {
  const System system(design, intercept);
  const std::vector<bool> all(system.names.size(), true);
  return summary(system, design, intercept, system.solve(all), all);
}

LinearFit non_negative_least_squares(const Design& design, Intercept intercept) {
  const System system(design, intercept);
  const std::size_t n = system.names.size();
  detail::identified_triangle(system.a, system.y, system.names, kRankTolerance);
  std::vector<bool> free(n, false);
  VectorXd x = VectorXd::Zero(static_cast<Index>(n));
  const VectorXd lengths = system.a.colwise().norm();
  const double small = 1e-12 * system.y.norm();
  // Each pass frees the column that lowers the sum fastest; inner steps hold those that would fall below 0. The sum falls strictly, so no set of
  // free columns comes twice; the bound only guards against rounding.
  for (std::size_t pass = 0; pass < 10 * n + 10; ++pass) {
    const VectorXd slope = system.a.transpose() * (system.y - system.a * x);
    Index best = -1;
    double steepest = small;
    for (Index j = 0; j < x.size(); ++j) {
      const double scaled = slope[j] / lengths[j];
      if (!free[static_cast<std::size_t>(j)] && scaled > steepest) {
        steepest = scaled;
        best = j;
      }
    }
    if (best < 0) break;
    free[static_cast<std::size_t>(best)] = true;
    for (;;) {
      const VectorXd goal = system.solve(free);
      double step = 1;
      Index limit = -1;
      for (Index j = 0; j < x.size(); ++j) {
        if (!free[static_cast<std::size_t>(j)] || goal[j] > 0) continue;
        const double reach = x[j] > 0 ? x[j] / (x[j] - goal[j]) : 0;
        if (limit < 0 || reach < step) {
          step = reach;
          limit = j;
        }
      }
      x += step * (goal - x);
      if (limit < 0) break;
      free[static_cast<std::size_t>(limit)] = false;
      x[limit] = 0;
    }
  }
  return summary(system, design, intercept, x, free);
}

}  // namespace joulecast::fit
