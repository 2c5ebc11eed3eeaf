#include "metering/demand_charge.hpp"

#include <algorithm>

namespace joulecast::metering {

double demand_peak(const BinnedPower& power, const BillingPeriod& period, Time grid) {
  const std::int64_t offset = ((period.from - grid).ns % kDemandWindow.ns + kDemandWindow.ns) % kDemandWindow.ns;
  Time from = period.from + Span{offset == 0 ? 0 : kDemandWindow.ns - offset};
  if (from + kDemandWindow > period.to) return power.mean(period.from, period.to);
  double peak = power.mean(from, from + kDemandWindow);
  for (from = from + kDemandWindow; from + kDemandWindow <= period.to; from = from + kDemandWindow) {
    peak = std::max(peak, power.mean(from, from + kDemandWindow));
  }
  return peak;
}

Money demand_charge(const BinnedPower& power, std::span<const BillingPeriod> periods, Time grid, MoneyPerWatt rate) {
  Money sum;
  for (const BillingPeriod& period : periods) sum += rate * Watts(demand_peak(power, period, grid)) * period.share;
  return sum;
}

}  // namespace joulecast::metering
