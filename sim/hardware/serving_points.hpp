#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace joulecast::hardware {

/// Measured over predicted at one batch.
struct ServingPoint {
  double batch = 0;
  double seconds_ratio = 1, watts_ratio = 1;
};

/// What measured points say of a model's steps at other batches: the residual of the bottom-up costs, in the logarithm.
///
///   ln r(b) between points is linear in ln b; beyond the outermost one it fades as exp(-|ln b - ln b_p|/2): what holds at one batch (a host, a kernel, a
///   model's router) holds at its neighbours and less far away.
///
/// How accurate is this? `joulecast validate --only serving.mlenergy`, batch_points and dense_one_point.
class ServingResidual {
 public:
  ServingResidual() = default;
  /// Points in any order; batches and ratios above 0, no batch twice (Bug).
  explicit ServingResidual(std::vector<ServingPoint> points);

  /// At `batch` > 0; ratios 1 without points.
  ServingPoint at(double batch) const;
  /// Whether the points say something of `batch`: it lies between them, or so near that at least 1/e of the outermost one's logarithm is left.
  bool reaches(double batch) const;
  const std::vector<ServingPoint>& points() const { return points_; }

 private:
  std::vector<ServingPoint> points_;  ///< rising batches
};

}  // namespace joulecast::hardware
