#include "fit/covariance.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace joulecast::fit {
namespace {

/// Continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1;
  double d = 1 / (1 - (a + b) * x / (a + 1));
  double result = d;
  for (int m = 1; m < 500; ++m) {
    const double k = m;
    for (const double term : {k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)), -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))}) {
      d = 1 + term * d;
      c = 1 + term / c;
      if (std::abs(d) < tiny) d = tiny;
      if (std::abs(c) < tiny) c = tiny;
      d = 1 / d;
      result *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return result;
}

/// Regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_t(double confidence, std::size_t degrees_of_freedom) {
  JOULECAST_CHECK(confidence > 0 && confidence < 1 && degrees_of_freedom > 0, "Student's t outside its range");
  const double n = static_cast<double>(degrees_of_freedom);
  // P(|T| <= t) = 1 - I_{n/(n + t^2)}(n/2, 1/2) rises in t.
  const auto inside = [n](double t) { return 1 - incomplete_beta(n / 2, 0.5, n / (n + t * t)); };
  double low = 0;
  double high = 1;
  while (inside(high) < confidence && high < 1e12) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (inside(middle) < confidence ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Covariance::Covariance(std::vector<std::string> names, std::vector<double> values, std::vector<bool> held, std::size_t degrees_of_freedom)
    : names_(std::move(names)), values_(std::move(values)), held_(std::move(held)), degrees_of_freedom_(degrees_of_freedom) {
  JOULECAST_CHECK(values_.size() == names_.size() * names_.size() && held_.size() == names_.size(), "a covariance of another size");
}

double Covariance::standard_error(std::size_t i) const {
  if (held_[i]) return 0;
  if (degrees_of_freedom_ == 0) return std::numeric_limits<double>::infinity();
  return std::sqrt(at(i, i));
}

double Covariance::correlation(std::size_t i, std::size_t j) const { return at(i, j) / std::sqrt(at(i, i) * at(j, j)); }

Interval Covariance::interval(std::size_t i, double estimate, double confidence) const {
  if (held_[i]) return {estimate, estimate};
  if (degrees_of_freedom_ == 0) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const double half = student_t(confidence, degrees_of_freedom_) * standard_error(i);
  return {estimate - half, estimate + half};
}

}  // namespace joulecast::fit
