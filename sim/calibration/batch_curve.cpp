#include "calibration/batch_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::calibration {
namespace {

struct Row {
  double x, y;
};

/// y = constant + slope*x on relative residuals, with held-out errors.
struct Line {
  fit::LinearFit fit;
  FitQuality quality;
};

fit::LinearFit line(std::span<const Row> rows, const std::string& slope) {
  fit::Design design({slope});
  for (const Row& row : rows) design.add(std::span(&row.x, 1), row.y, 1 / (row.y * row.y));
  return fit::least_squares(design, fit::Intercept::fitted);
}

std::optional<Line> judged_line(const std::vector<Row>& rows, const std::string& slope) {
  if (rows.size() < 3) return std::nullopt;
  try {
    Line result{line(rows, slope), {}};
    std::vector<double> predicted, measured, held;
    for (const Row& row : rows) {
      predicted.push_back(result.fit.predict(std::span(&row.x, 1)));
      measured.push_back(row.y);
    }
    if (rows.size() >= 4) {
      held = fit::held_out_predictions(rows.size(), std::min<std::size_t>(5, rows.size()),
                                       [&](std::span<const std::size_t> train, std::span<const std::size_t> test) {
                                         std::vector<Row> some;
                                         for (const std::size_t i : train) some.push_back(rows[i]);
                                         const fit::LinearFit other = line(some, slope);
                                         std::vector<double> out;
                                         for (const std::size_t i : test) out.push_back(other.predict(std::span(&rows[i].x, 1)));
                                         return out;
                                       });
    }
    result.quality = held.empty() ? fit_quality(predicted, measured, {}, {}) : fit_quality(predicted, measured, held, measured);
    result.quality.r2_centred = result.fit.r2_centred;
    result.quality.r2_uncentred = result.fit.r2_uncentred;
    return result;
  } catch (const UserError&) {
    return std::nullopt;  // one batch only: nothing tells slope and constant apart
  }
}

void add_figures(BatchCurve& curve, const Line& line, const char* slope, const char* constant, const char* unit) {
  const auto range = [&](std::size_t i, double value) { return line.fit.covariance.interval(i, value, 0.8); };
  const auto s = range(0, line.fit.coefficients[0]), c = range(1, line.fit.intercept);
  curve.figures.push_back({constant, unit, line.fit.intercept, c.low, c.high, false});
  curve.figures.push_back({slope, unit, line.fit.coefficients[0], s.low, s.high, false});
}

}  // namespace

double BatchCurve::watts(double sequences, double step_seconds) const {
  return base_watts + slope_watts * std::sqrt(sequences / step_seconds / highest_rate);
}

BatchCurve fit_batch_curve(std::span<const BatchPoint> points) {
  BatchCurve curve;
  std::vector<Row> times, powers;
  for (const BatchPoint& point : points) {
    if (std::isnan(point.step_seconds)) continue;
    curve.highest_rate = std::max(curve.highest_rate, point.sequences / point.step_seconds);
  }
  curve.lowest = std::numeric_limits<double>::infinity();
  for (const BatchPoint& point : points) {
    curve.lowest = std::min(curve.lowest, point.sequences);
    curve.highest = std::max(curve.highest, point.sequences);
    if (std::isnan(point.step_seconds)) continue;
    times.push_back({point.sequences, point.step_seconds});
    if (!std::isnan(point.watts)) powers.push_back({std::sqrt(point.sequences / point.step_seconds / curve.highest_rate), point.watts});
  }
  if (const auto found = judged_line(times, "sequence_seconds")) {
    curve.sequence_seconds = found->fit.coefficients[0];
    curve.fixed_seconds = found->fit.intercept;
    curve.time = found->quality;
    add_figures(curve, *found, "sequence_seconds", "fixed_seconds", "s");
  } else {
    curve.refused.push_back(
        {"step time against batch", "fewer than three batches with a step time", "run three batches at least, with --load or step_s= marks"});
  }
  if (const auto found = judged_line(powers, "slope_watts")) {
    curve.slope_watts = found->fit.coefficients[0];
    curve.base_watts = found->fit.intercept;
    curve.power = found->quality;
    add_figures(curve, *found, "slope_watts", "base_watts", "W");
  } else {
    curve.refused.push_back(
        {"watts against batch", "fewer than three batches with watts and a step time", "run three batches at least, with --load or step_s= marks"});
  }
  return curve;
}

}  // namespace joulecast::calibration
