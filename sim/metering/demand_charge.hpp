#pragma once

#include <span>
#include <vector>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "metering/binned_power.hpp"

namespace joulecast::metering {

/// Money for the highest power of a month, per watt and month.
using MoneyPerWatt = Quantity<-1, 1, 0, 0, 1>;

/// The part of a billing month that a run covers.
struct BillingPeriod {
  Time from, to;
  double share = 0;  ///< of the month's length
};

/// Over what a demand charge's power is a mean: the interval of meters that register load.
inline constexpr Span kDemandWindow{900'000'000'000};

/// The highest mean watts over a quarter hour of [from, to): quarter hours begin at `grid` and every 900 s before and after it (those of the clock),
/// and only whole ones count. Where there is none, the mean of the period.
double demand_peak(const BinnedPower& power, const BillingPeriod& period, Time grid);

/// rate x peak x share of the month, summed over the months.
Money demand_charge(const BinnedPower& power, std::span<const BillingPeriod> periods, Time grid, MoneyPerWatt rate);

}  // namespace joulecast::metering
