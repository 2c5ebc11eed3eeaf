#pragma once

#include <cstddef>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "metering/binned_power.hpp"

namespace joulecast::metering {

/// What a feed carries against what it may carry. NaN where the run, without its warm-up, is shorter than the window, or bins do not fill it.
struct FeedLoad {
  double mean = 0;           ///< watts
  double peak_900s = 0;      ///< the largest mean of 900 s, windows sliding by a bin
  double peak_window = 0;    ///< the same of the feed's own window
  double over_usable_s = 0;  ///< seconds at which the mean over the window that ended there was above the usable watts
  double excess_joules = 0;  ///< energy above the usable watts in back-to-back windows from the first bin on
};

/// `it` watts of what hangs on the feed, from bin `first` on.
FeedLoad feed_load(const BinnedPower& it, std::size_t first, Span window, Watts usable);

}  // namespace joulecast::metering
