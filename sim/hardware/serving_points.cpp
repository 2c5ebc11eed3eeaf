#include "hardware/serving_points.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::hardware {
namespace {

/// Natural logarithms of the batch over which a residual fades to 1/e. Chosen, not measured: what speaks for it is dense_one_point of
/// `joulecast validate --only serving.mlenergy`, where one batch stands for all others of a model (ML.ENERGY v3, H100 and B200).
constexpr double kReach = 2;

ServingPoint raised(const ServingPoint& point, double power, double batch) {
  return {batch, std::pow(point.seconds_ratio, power), std::pow(point.watts_ratio, power)};
}

}  // namespace

ServingResidual::ServingResidual(std::vector<ServingPoint> points) : points_(std::move(points)) {
  std::sort(points_.begin(), points_.end(), [](const ServingPoint& a, const ServingPoint& b) { return a.batch < b.batch; });
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ServingPoint& point = points_[i];
    JOULECAST_CHECK(point.batch > 0 && point.seconds_ratio > 0 && point.watts_ratio > 0, "measured points are positive");
    JOULECAST_CHECK(i == 0 || points_[i - 1].batch < point.batch, "a batch is measured once");
  }
}

ServingPoint ServingResidual::at(double batch) const {
  if (points_.empty()) return {batch, 1, 1};
  const auto above = std::lower_bound(points_.begin(), points_.end(), batch, [](const ServingPoint& point, double b) { return point.batch < b; });
  if (above == points_.begin() || above == points_.end()) {
    const ServingPoint& nearest = above == points_.end() ? points_.back() : points_.front();
    return raised(nearest, std::exp(-std::abs(std::log(batch / nearest.batch)) / kReach), batch);
  }
  const ServingPoint &a = *(above - 1), &b = *above;
  const double share = std::log(batch / a.batch) / std::log(b.batch / a.batch);
  const ServingPoint low = raised(a, 1 - share, batch), high = raised(b, share, batch);
  return {batch, low.seconds_ratio * high.seconds_ratio, low.watts_ratio * high.watts_ratio};
}

bool ServingResidual::reaches(double batch) const {
  return !points_.empty() && std::log(points_.front().batch / batch) <= kReach && std::log(batch / points_.back().batch) <= kReach;
}

}  // namespace joulecast::hardware
