#include "traces/requests/daily_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace joulecast::traces {
namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;
constexpr int kFactorBits = 32;
constexpr FixedTime kHour = FixedTime::from_nano(kHourNs);

double mean_of(const std::array<double, 24>& factors) { return std::accumulate(factors.begin(), factors.end(), 0.0) / 24; }

}  // namespace

double DailyShape::peak() const { return *std::max_element(factors.begin(), factors.end()) / mean_of(factors); }

DailyClock::DailyClock(const DailyShape& shape) {
  const double mean = mean_of(shape.factors);
  JOULECAST_CHECK(mean > 0 && std::isfinite(mean), "a daily shape without a factor above 0");
  for (std::size_t hour = 0; hour < 24; ++hour) {
    JOULECAST_CHECK(shape.factors[hour] >= 0, "a daily shape with a negative factor");
    factors_[hour] = std::llround(std::ldexp(shape.factors[hour] / mean, kFactorBits));
  }
  JOULECAST_CHECK(shape.start_local_ns_of_day >= 0 && shape.start_local_ns_of_day < 24 * kHourNs, "a beginning outside the day");
  hour_ = static_cast<std::size_t>(shape.start_local_ns_of_day / kHourNs);
  const FixedTime into = FixedTime::from_nano(shape.start_local_ns_of_day % kHourNs);
  hour_start_ = FixedTime{} - into;
  done_ = into.raw * factors_[hour_];
}

FixedTime DailyClock::advance(FixedTime even, FixedTime most) {
  int128 left = even.raw << kFactorBits;
  for (;;) {
    const int128 rest = kHour.raw * factors_[hour_] - done_;
    if (left < rest) break;
    left -= rest;
    hour_ = (hour_ + 1) % 24;
    hour_start_ += kHour;
    done_ = 0;
    if (hour_start_ >= most) return hour_start_;
  }
  done_ += left;
  return hour_start_ + FixedTime{done_ / factors_[hour_]};
}

}  // namespace joulecast::traces
