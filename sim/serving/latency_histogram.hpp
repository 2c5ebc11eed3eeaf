#pragma once

#include <cstdint>
#include <vector>

#include "base/fixed.hpp"

namespace joulecast::serving {

/// Counts of durations in logarithmic buckets (128 an octave of nanoseconds: at most 0.8 % wide, single nanoseconds below 256), mergeable, the same
/// however the additions are ordered. The mean is exact.
class LatencyHistogram {
 public:
  /// `count` durations of so many nanoseconds; negative ones are a Bug.
  void add(std::int64_t nanoseconds, std::int64_t count = 1) { add(FixedTime::from_nano(nanoseconds), count); }
  void add(FixedTime duration, std::int64_t count = 1);
  /// `steps` steps that last duration.at(j), each giving `count` samples: the same as `steps` calls of add.
  void add_steps(const Progression<SecondsTag>& duration, std::int64_t steps, std::int64_t count);
  void merge(const LatencyHistogram& other);
  std::int64_t count() const { return count_; }
  double mean_s() const;
  /// The value below which a share `q` of the samples lies (the bucket's middle), seconds; NaN when empty.
  double quantile_s(double q) const;

 private:
  void add_to_bucket(std::size_t bucket, std::int64_t count);

  std::vector<std::int64_t> buckets_;
  std::int64_t count_ = 0;
  int128 sum_raw_ = 0;  ///< of all samples, in FixedTime's unit
};

}  // namespace joulecast::serving
