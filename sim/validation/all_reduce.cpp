#include "validation/all_reduce.hpp"

#include "hardware/fabric/fabric_collectives.hpp"

namespace joulecast::validation {
namespace {

constexpr std::int64_t kRanks = 8;
constexpr double kRate = 50e9;  // any rate does: it cancels
constexpr double kBytes = 1e9;

hardware::FabricProfile plain_fabric() {
  hardware::FabricProfile fabric;
  fabric.topology = hardware::Topology::rail;
  fabric.nics.value = 1;
  fabric.nic_bandwidth.value = BytesPerSecond(kRate);
  fabric.nic_efficiency.value = 1;
  fabric.leaf_ports.value = static_cast<double>(kRanks);
  fabric.switch_ports.value = 2 * static_cast<double>(kRanks);
  fabric.oversubscription.value = 1;
  return fabric;
}

}  // namespace

Comparison all_reduce_ring_factor() {
  Entry entry{"hardware.all_reduce.ring_factor", "ring all-reduce over 8", "closed form 2(n-1)/n", 1.75, "", "1e-12", Kind::exact};
  return {{std::move(entry)}, [](const Sources&) -> std::optional<std::vector<Ours>> {
            const hardware::FabricProfile fabric = plain_fabric();
            const hardware::FabricCollectives times(hardware::GpuProfile{}, 1, &fabric, kRanks);
            const auto seconds = times.seconds_by(hardware::Algorithm::ring, hardware::Collective::all_reduce, kBytes, {kRanks, 1, 1});
            return std::vector<Ours>{{*seconds * kRate / kBytes}};
          }};
}

}  // namespace joulecast::validation
