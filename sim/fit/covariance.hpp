#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace joulecast::fit {

struct Interval {
  double low = 0, high = 0;
};

/// How well a fit knows its parameters: s^2 (J'WJ)^-1 with s^2 = SS/(rows - parameters), Student's t for intervals. A parameter held at a bound
/// has no error.
class Covariance {
 public:
  Covariance() = default;
  /// `values` is row by row, names.size() squared, already times s^2; a held parameter's row and column are 0.
  Covariance(std::vector<std::string> names, std::vector<double> values, std::vector<bool> held, std::size_t degrees_of_freedom);

  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  double at(std::size_t i, std::size_t j) const { return values_[i * names_.size() + j]; }
  /// Infinite without degrees of freedom, 0 where held.
  double standard_error(std::size_t i) const;
  /// NaN where one of the two has no error.
  double correlation(std::size_t i, std::size_t j) const;
  /// Whether the parameter stands at a bound.
  bool held(std::size_t i) const { return held_[i]; }
  std::size_t degrees_of_freedom() const { return degrees_of_freedom_; }
  /// estimate -+ t * standard error; `confidence` in (0, 1).
  Interval interval(std::size_t i, double estimate, double confidence) const;

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;
  std::vector<bool> held_;
  std::size_t degrees_of_freedom_ = 0;
};

/// t with P(|T| <= t) = confidence for Student's T of so many degrees of freedom (at least 1), to 1e-10 relative.
double student_t(double confidence, std::size_t degrees_of_freedom);

}  // namespace joulecast::fit
