#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace joulecast::calibration {

/// A run of values with one mean: [begin, end) of the values' numbers.
struct MeanSegment {
  std::size_t begin = 0, end = 0;
  double mean = 0;

  std::size_t size() const { return end - begin; }
};

/// Where the mean of values changes: the segmentation that minimises sum (y - mean)^2/s^2 + penalty a segment exactly, by PELT (Killick, Fearnhead,
/// Eckley, JASA 107 (2012), section 3, equations 1-5; K = 0). s is the noise, from the median absolute first difference (values drift between changes,
/// first differences don't), at least `least_noise`; the penalty is 4 ln n. Segments have at least `least` values, neighbours whose means lie within
/// `same` are joined. O(n) where changes come regularly.
std::vector<MeanSegment> change_points(std::span<const double> values, double least_noise, std::size_t least, double same);

}  // namespace joulecast::calibration
