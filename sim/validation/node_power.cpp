#include "validation/node_power.hpp"

#include "hardware/node.hpp"
#include "hardware/profiles.hpp"

namespace joulecast::validation {

Comparison h100_node_power() {
  return {{{"hardware.node.h100_immersion_lora_kw", "8 GPUs at 685 W, no fans, DC", "MLPerf Training 4.0 power", 6.741, "kW", "3 %", Kind::derived},
           {"hardware.node.h100_air_peak_kw", "8 GPUs at 700 W, AC", "arXiv 2412.08602", 8.4, "kW", "3 %", Kind::derived}},
          [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            config::Diagnostics diagnostics;
            const auto path = hardware::find_profile(hardware::node_folder(sources.share), "node", "dgx-h100", {});
            const auto overhead = hardware::load_node(path, diagnostics).overhead();
            diagnostics.throw_if_failed();
            auto immersed = overhead;
            immersed.fans_peak = Watts(0);
            return std::vector<Ours>{{immersed.chassis_dc(8 * Watts(685)).si() * 1e-3}, {overhead.chassis_ac(8 * Watts(700)).si() * 1e-3}};
          }};
}

}  // namespace joulecast::validation
