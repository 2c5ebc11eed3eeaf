#pragma once

#include <utility>
#include <vector>

#include "base/quantity.hpp"

namespace joulecast::metering {

/// What a node draws beside its GPUs. chassis AC = (GPUs + host + fans) / efficiency(load): the sources of each figure lie in the node profile.
struct NodeOverhead {
  Watts host{};
  Watts fans_peak{};                                      ///< at `fans_peak_dc`
  double fans_idle_share = 0;                             ///< of the peak, drawn always; the rest grows with the cube of the node's DC watts
  Watts fans_peak_dc{};                                   ///< GPUs + host watts at which the fans are at their peak
  Watts psu_rated{};                                      ///< DC watts of the supplies that share the load
  std::vector<std::pair<double, double>> psu_efficiency;  ///< (load share, efficiency), rising shares, linear between, edge values beyond; empty: 1
  Watts network{};                                        ///< AC watts of the node's share of switches and optics, outside the chassis; from `it` on

  /// fans_peak * (idle + (1 - idle) * min(1, (gpus + host) / fans_peak_dc)^3); 0 without fans.
  Watts fans(Watts gpus) const;
  /// gpus + host + fans.
  Watts chassis_dc(Watts gpus) const { return gpus + host + fans(gpus); }
  /// The supplies' efficiency at `dc` watts.
  double efficiency(Watts dc) const;
  /// AC watts of a node whose GPUs draw `gpus`.
  Watts chassis_ac(Watts gpus) const {
    const Watts dc = chassis_dc(gpus);
    return dc / efficiency(dc);
  }
  /// Throws Bug where a figure has no meaning (negative watts, a share or an efficiency outside (0, 1], fans or a curve without their reference).
  void check() const;
};

}  // namespace joulecast::metering
