#include "calibration/fit_quality.hpp"

#include <limits>

#include "base/error.hpp"

namespace joulecast::calibration {

FitQuality fit_quality(std::span<const double> predicted, std::span<const double> measured, std::span<const double> held_out,
                       std::span<const double> held_out_measured) {
  JOULECAST_CHECK(predicted.size() == measured.size() && !measured.empty(), "the quality of a fit to nothing");
  FitQuality quality;
  quality.rows = measured.size();
  quality.held_out_rows = held_out.size();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  quality.held_out = held_out.empty() ? fit::RelativeErrors{nan, nan, nan, nan, nan, nan} : fit::relative_errors(held_out, held_out_measured);
  double mean = 0;
  for (const double y : measured) mean += y / static_cast<double>(measured.size());
  double residual = 0, about_mean = 0, about_zero = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    residual += (predicted[i] - measured[i]) * (predicted[i] - measured[i]);
    about_mean += (measured[i] - mean) * (measured[i] - mean);
    about_zero += measured[i] * measured[i];
  }
  quality.r2_centred = about_mean > 0 ? 1 - residual / about_mean : nan;
  quality.r2_uncentred = 1 - residual / about_zero;
  return quality;
}

}  // namespace joulecast::calibration
