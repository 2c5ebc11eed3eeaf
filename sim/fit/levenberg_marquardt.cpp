#include "fit/levenberg_marquardt.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fit/identification.hpp"

namespace joulecast::fit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDifference = 6e-6;            ///< cube root of the rounding unit: best for central differences
constexpr double kDifferencesTolerance = 1e-8;  ///< what central differences can tell from 0
constexpr double kMostDamping = 1e16;

class Search {
 public:
  Search(const std::vector<Parameter>& parameters, std::size_t rows, const Residuals& residuals)
      : parameters_(parameters), residuals_(residuals), x_(static_cast<Index>(parameters.size())), r_(static_cast<Index>(rows)) {
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      const Parameter& p = parameters[j];
      JOULECAST_CHECK(p.least <= p.start && p.start <= p.most, "a fit that starts outside its bounds");
      x_[static_cast<Index>(j)] = p.start;
    }
    r_ = at(x_);
  }

  void run(const SearchOptions& options) {
    VectorXd scale = VectorXd::Zero(x_.size());
    double damping = 1e-3;
    for (; iterations_ < options.iterations && !converged_; ++iterations_) {
      const MatrixXd j = jacobian();
      const VectorXd slope = j.transpose() * r_;
      const std::vector<bool> held = at_bound(slope);
      scale = scale.cwiseMax(j.colwise().norm().transpose());
      for (converged_ = true; damping < kMostDamping; damping *= 4) {
        const VectorXd next = project(x_ + step(j, slope, scale, held, damping));
        const VectorXd moved = next - x_;
        if (moved.cwiseAbs().cwiseQuotient(x_.cwiseAbs().cwiseMax(1e-300)).maxCoeff() < options.tolerance) break;
        const VectorXd r = at(next);
        const double before = r_.squaredNorm();
        const double after = r.squaredNorm();
        if (!(after < before)) continue;
        x_ = next;
        r_ = r;
        damping = std::max(damping / 9, 1e-14);
        converged_ = before - after < options.tolerance * before;
        break;
      }
    }
  }

  NonlinearFit result() const {
    NonlinearFit fit;
    fit.parameters.assign(x_.data(), x_.data() + x_.size());
    fit.sum_of_squares = r_.squaredNorm();
    fit.converged = converged_;
    fit.iterations = iterations_;
    fit.covariance = covariance();
    return fit;
  }

 private:
  VectorXd at(const VectorXd& x) const {
    VectorXd r(r_.size());
    residuals_({x.data(), static_cast<std::size_t>(x.size())}, {r.data(), static_cast<std::size_t>(r.size())});
    JOULECAST_CHECK(r.allFinite(), "residuals that are not finite");
    return r;
  }

  VectorXd project(VectorXd x) const {
    for (Index j = 0; j < x.size(); ++j) {
      const Parameter& p = parameters_[static_cast<std::size_t>(j)];
      x[j] = std::clamp(x[j], p.least, p.most);
    }
    return x;
  }

  /// Central differences; one-sided at a bound.
  MatrixXd jacobian() const {
    MatrixXd j(r_.size(), x_.size());
    for (Index column = 0; column < x_.size(); ++column) {
      const Parameter& p = parameters_[static_cast<std::size_t>(column)];
      const double h = kDifference * std::max(std::abs(x_[column]), x_[column] == 0 ? 1.0 : 0.0);
      VectorXd below = x_;
      VectorXd above = x_;
      below[column] = std::max(p.least, x_[column] - h);
      above[column] = std::min(p.most, x_[column] + h);
      const double width = above[column] - below[column];
      if (width > 0) {
        j.col(column) = (at(above) - at(below)) / width;
      } else {
        j.col(column).setZero();
      }
    }
    return j;
  }

  /// Parameters at a bound whose descent points out of it.
  std::vector<bool> at_bound(const VectorXd& slope) const {
    std::vector<bool> held(parameters_.size());
    for (std::size_t j = 0; j < parameters_.size(); ++j) {
      const double x = x_[static_cast<Index>(j)];
      const double s = slope[static_cast<Index>(j)];
      const Parameter& p = parameters_[j];
      held[j] = (x <= p.least && s >= 0) || (x >= p.most && s <= 0);
    }
    return held;
  }

  /// Minimises |r + J d|^2 + damping |D d|^2 over the free parameters.
  VectorXd step(const MatrixXd& j, const VectorXd& slope, const VectorXd& scale, const std::vector<bool>& held, double damping) const {
    MatrixXd normal = j.transpose() * j;
    VectorXd target = -slope;
    for (Index k = 0; k < x_.size(); ++k) {
      const double d = scale[k] > 0 ? scale[k] : 1;
      if (held[static_cast<std::size_t>(k)]) {
        normal.row(k).setZero();
        normal.col(k).setZero();
        target[k] = 0;
      }
      normal(k, k) += damping * d * d;
    }
    // Scaled to a unit diagonal: parameters differ by many orders (us beside shares).
    const VectorXd root = normal.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixXd scaled = root.asDiagonal() * normal * root.asDiagonal();
    return root.cwiseProduct(scaled.ldlt().solve(root.cwiseProduct(target)));
  }

  Covariance covariance() const {
    const MatrixXd all = jacobian();
    const std::vector<bool> held = at_bound(all.transpose() * r_);
    std::vector<std::string> names;
    std::vector<std::string> free_names;
    MatrixXd free(all.rows(), static_cast<Index>(std::count(held.begin(), held.end(), false)));
    for (std::size_t j = 0; j < held.size(); ++j) {
      names.push_back(parameters_[j].name);
      if (held[j]) continue;
      free.col(static_cast<Index>(free_names.size())) = all.col(static_cast<Index>(j));
      free_names.push_back(parameters_[j].name);
    }
    const MatrixXd inverse = detail::inverse_normal_matrix(detail::identified_triangle(free, r_, free_names, kDifferencesTolerance));
    const std::size_t n = held.size();
    const std::size_t freedom = static_cast<std::size_t>(r_.size()) - free_names.size();
    const double variance = freedom > 0 ? r_.squaredNorm() / static_cast<double>(freedom) : 0;
    std::vector<double> values(n * n);
    for (std::size_t i = 0, row = 0; i < n; row += held[i] ? 0U : 1U, ++i) {
      for (std::size_t k = 0, column = 0; k < n; column += held[k] ? 0U : 1U, ++k) {
        if (!held[i] && !held[k]) values[i * n + k] = variance * inverse(static_cast<Index>(row), static_cast<Index>(column));
      }
    }
    return {std::move(names), std::move(values), held, freedom};
  }

  const std::vector<Parameter>& parameters_;
  const Residuals& residuals_;
  VectorXd x_, r_;
  bool converged_ = false;
  int iterations_ = 0;
};

}  // namespace

NonlinearFit levenberg_marquardt(const std::vector<Parameter>& parameters, std::size_t rows, const Residuals& residuals,
                                 const SearchOptions& options) {
  Search search(parameters, rows, residuals);
  search.run(options);
  return search.result();
}

}  // namespace joulecast::fit
