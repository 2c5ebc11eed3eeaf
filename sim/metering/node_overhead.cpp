#include "metering/node_overhead.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::metering {

Watts NodeOverhead::fans(Watts gpus) const {
  if (fans_peak.si() == 0) return {};
  const double load = std::min(1.0, (gpus + host) / fans_peak_dc);
  return fans_peak * (fans_idle_share + (1 - fans_idle_share) * load * load * load);
}

double NodeOverhead::efficiency(Watts dc) const {
  if (psu_efficiency.empty()) return 1;
  const double load = dc / psu_rated;
  if (load <= psu_efficiency.front().first) return psu_efficiency.front().second;
  for (std::size_t i = 1; i < psu_efficiency.size(); ++i) {
    const auto [left, from] = psu_efficiency[i - 1];
    const auto [right, to] = psu_efficiency[i];
    if (load <= right) return from + (to - from) * (load - left) / (right - left);
  }
  return psu_efficiency.back().second;
}

void NodeOverhead::check() const {
  JOULECAST_CHECK(host.si() >= 0 && fans_peak.si() >= 0 && network.si() >= 0, "a node overhead with negative watts");
  JOULECAST_CHECK(fans_idle_share >= 0 && fans_idle_share <= 1, "a node whose fans' idle share is outside 0 .. 1");
  JOULECAST_CHECK(fans_peak.si() == 0 || fans_peak_dc.si() > 0, "a node with fans but without the DC watts of their peak");
  JOULECAST_CHECK(psu_efficiency.empty() || psu_rated.si() > 0, "a node with an efficiency curve but without rated watts");
  double last = -1;
  for (const auto& [load, efficiency] : psu_efficiency) {
    JOULECAST_CHECK(load > last && load >= 0, "an efficiency curve whose loads do not rise");
    JOULECAST_CHECK(efficiency > 0 && efficiency <= 1, "a supply efficiency outside (0, 1]");
    last = load;
  }
}

}  // namespace joulecast::metering
