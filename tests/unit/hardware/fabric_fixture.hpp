#pragma once

#include <cstdint>

#include "hardware/fabric/fabric_collectives.hpp"

namespace joulecast::hardware {

/// A fabric of round figures: NICs of 10 GB/s, no latency unless asked for, leaves with 8 ports down.
inline FabricProfile round_fabric(Topology topology, double nics, double oversubscription, double latency = 0, double hop = 0) {
  FabricProfile f;
  f.topology = topology;
  f.nics.value = nics;
  f.nic_bandwidth.value = BytesPerSecond(10e9);
  f.nic_efficiency.value = 1;
  f.leaf_ports.value = 8;
  f.switch_ports.value = 16;
  f.oversubscription.value = oversubscription;
  f.message_latency.value = Seconds(latency);
  f.hop_latency.value = Seconds(hop);
  f.switch_watts.value = Watts(100);
  f.optic_watts.value = Watts(10);
  f.links_per_optic.value = 2;
  f.node_link_optics.value = 1;
  f.spine_link_optics.value = 2;
  f.nic_watts.value = Watts(20);
  return f;
}

/// A GPU whose all-reduce of 8 is `alpha + root*sqrt(S) + S/beta`.
inline GpuProfile round_gpu(double alpha = 0, double root = 0, double beta = 100e9) {
  GpuProfile gpu;
  gpu.name = "round";
  AllReduceForm form;
  form.gpus = 8;
  form.alpha.value = Seconds(alpha);
  form.root.value = root;
  form.beta.value = BytesPerSecond(beta);
  gpu.all_reduce = {form};
  return gpu;
}

}  // namespace joulecast::hardware
