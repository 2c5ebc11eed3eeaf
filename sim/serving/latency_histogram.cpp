#include "serving/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace joulecast::serving {
namespace {

constexpr int kOctaveBits = 7;

/// Nanoseconds below 2^8 are their own bucket; above, the leading one and the 7 bits after it choose it.
std::size_t bucket_of(FixedTime duration) {
  const std::int64_t ns = duration.floor_nano();
  JOULECAST_CHECK(ns >= 0, "a negative latency");
  const auto value = static_cast<std::uint64_t>(ns);
  const int octave = static_cast<int>(std::bit_width(value)) - 1 - kOctaveBits;
  if (octave <= 0) return static_cast<std::size_t>(value);
  return (static_cast<std::size_t>(octave) << kOctaveBits) + static_cast<std::size_t>(value >> octave);
}

double middle_ns(std::size_t bucket) {
  constexpr std::size_t kPerOctave = std::size_t{1} << kOctaveBits;
  if (bucket < 2 * kPerOctave) return static_cast<double>(bucket) + 0.5;
  const int octave = static_cast<int>(bucket >> kOctaveBits) - 1;
  const std::size_t leading = bucket - (static_cast<std::size_t>(octave) << kOctaveBits);
  return std::ldexp(static_cast<double>(leading) + 0.5, octave);
}

}  // namespace

void LatencyHistogram::add_to_bucket(std::size_t bucket, std::int64_t count) {
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1, 0);
  buckets_[bucket] += count;
}

void LatencyHistogram::add(FixedTime duration, std::int64_t count) {
  if (count == 0) return;
  add_to_bucket(bucket_of(duration), count);
  count_ += count;
  sum_raw_ += duration.raw * count;
}

void LatencyHistogram::add_steps(const Progression<SecondsTag>& duration, std::int64_t steps, std::int64_t count) {
  if (steps == 0 || count == 0) return;
  count_ += steps * count;
  sum_raw_ += duration.sum(steps).raw * count;
  const std::size_t last = bucket_of(duration.at(steps - 1));
  std::int64_t done = 0;
  while (done < steps) {
    const std::size_t bucket = bucket_of(duration.at(done));
    std::int64_t end = steps;  // steps before this one fall in `bucket`
    if (bucket != last) {
      std::int64_t inside = done;
      while (inside + 1 < end) {
        const std::int64_t middle = inside + (end - inside) / 2;
        (bucket_of(duration.at(middle)) == bucket ? inside : end) = middle;
      }
    }
    add_to_bucket(bucket, (end - done) * count);
    done = end;
  }
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size(), 0);
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_raw_ += other.sum_raw_;
}

double LatencyHistogram::mean_s() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return FixedTime{sum_raw_}.units() / static_cast<double>(count_);
}

double LatencyHistogram::quantile_s(double q) const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const double wanted = std::max(1.0, std::ceil(q * static_cast<double>(count_)));
  std::int64_t seen = 0;
  std::size_t bucket = 0;
  for (; bucket + 1 < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (static_cast<double>(seen) >= wanted) break;
  }
  return middle_ns(bucket) * 1e-9;
}

}  // namespace joulecast::serving
