#include "study/paired.hpp"

#include <cmath>
#include <vector>

#include "fit/covariance.hpp"

namespace joulecast::study {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::within_noise:
      return "within_noise";
    case Verdict::lower:
      return "lower";
    case Verdict::higher:
      return "higher";
    case Verdict::untested:
      return "untested";
  }
  return "";
}

Estimate estimate(std::span<const double> values, double once, Spread spread, double confidence) {
  if (spread == Spread::none || values.size() < 2) return {once, {}, {}};
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / (n - 1));
  const double error = spread == Spread::draws ? deviation / std::sqrt(n) : deviation;
  const double half = fit::student_t(confidence, values.size() - 1) * error;
  const double centre = spread == Spread::draws ? mean : once;
  return {centre, centre - half, centre + half};
}

Difference paired(std::span<const double> arm, std::span<const double> reference, double arm_once, double reference_once, Spread spread,
                  double confidence) {
  std::vector<double> differences;
  double sum = 0;
  for (std::size_t i = 0; i < arm.size(); ++i) {
    differences.push_back(arm[i] - reference[i]);
    sum += reference[i];
  }
  Difference result;
  const double once = arm_once - reference_once;
  result.absolute = estimate(differences, once, spread, confidence);
  const double whole = std::abs(spread == Spread::draws && !reference.empty() ? sum / static_cast<double>(reference.size()) : reference_once);
  if (whole > 0) {
    result.relative = {result.absolute.value / whole, {}, {}};
    if (result.absolute.low) result.relative->low = *result.absolute.low / whole;
    if (result.absolute.high) result.relative->high = *result.absolute.high / whole;
  }
  bool same = once == 0;
  for (const double difference : differences) same = same && difference == 0;
  if (same) {
    result.verdict = Verdict::same;
  } else if (result.absolute.low) {
    result.verdict = *result.absolute.low > 0 ? Verdict::higher : *result.absolute.high < 0 ? Verdict::lower : Verdict::within_noise;
  }
  return result;
}

}  // namespace joulecast::study
