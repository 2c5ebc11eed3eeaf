#pragma once

#include <optional>
#include <span>

#include "fit/covariance.hpp"

namespace joulecast::study {

/// Which law an interval rests on.
enum class IntervalLaw : unsigned char {
  order_statistics,  ///< quantiles of the draws
  student            ///< too few draws for quantiles
};
/// From this number of draws on, 80 % intervals are quantiles.
inline constexpr std::size_t kQuantileDraws = 9;
IntervalLaw interval_law(std::size_t draws);
const char* name(IntervalLaw law);

/// The interval in which a further draw lies with 80 %: what the truth is, if the errors are as stated. All values finite; nothing of fewer than two.
///
/// From 9 draws on its ends are the quantiles at 10 and 90 % at positions p*(n + 1) of the sorted draws (type 6 of Hyndman and Fan, The American Statistician
/// 50, 1996): between the k-th smallest and the k-th largest a further draw of the same law lies with (n + 1 - 2k)/(n + 1) exactly, whatever the law.
/// The usual type 7, at 1 + p*(n - 1), is too narrow for few draws: 65 % at 10, 78 % at 100. Below 9 draws there is no such k: the ends are
/// mean -+ t(n - 1)*s*sqrt(1 + 1/n), of the logarithms where all values are above 0; wide, as they must be.
std::optional<fit::Interval> prediction_interval(std::span<const double> values);

}  // namespace joulecast::study
