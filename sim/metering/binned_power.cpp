#include "metering/binned_power.hpp"

#include <algorithm>

namespace joulecast::metering {

double BinnedPower::joules(Time from, Time to) const {
  const std::int64_t begin = std::max<std::int64_t>(from.ns, 0), stop = std::min(to.ns, end.ns);
  double sum = 0;
  for (std::int64_t at = begin; at < stop;) {
    const std::int64_t index = at / bin.ns;
    const std::int64_t next = std::min((index + 1) * bin.ns, stop);
    sum += watts[static_cast<std::size_t>(index)] * Span{next - at}.seconds();
    at = next;
  }
  return sum;
}

double integral(const BinnedPower& power, std::span<const RateStep> steps) {
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    sum += steps[i].value * power.joules(steps[i].from, i + 1 < steps.size() ? steps[i + 1].from : power.end);
  }
  return sum;
}

}  // namespace joulecast::metering
