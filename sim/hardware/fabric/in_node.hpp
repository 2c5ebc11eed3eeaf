#pragma once

#include <cstdint>

#include "base/provenance.hpp"
#include "hardware/fabric/collective_times.hpp"
#include "hardware/gpu.hpp"

namespace joulecast::hardware {

/// `alpha + root*sqrt(bytes) + bytes*inverse_beta`, seconds.
struct InNodeForm {
  double alpha = 0, root = 0, inverse_beta = 0;
  Provenance provenance = Provenance::modelled;

  double seconds(double bytes) const;
  /// The part that grows with the bytes.
  double transfer(double bytes) const { return seconds(bytes) - alpha; }
};

/// The form of a collective among `gpus` GPUs (at least 2) of one node. Where the GPU profile has a table for it, that one. Else from the
/// all-reduce of as many GPUs by what a ring moves and how many steps it takes (Patarasuk and Yuan 2009): all-gather, reduce-scatter and
/// all-to-all move (n-1)/n of the bytes in n-1 steps, half of an all-reduce's 2(n-1)/n; a broadcast moves all of them, n/(2(n-1)) of it; a send
/// moves what an all-reduce of two does. For a number of GPUs without a table, the nearest table with latency by steps and bytes by (n-1)/n.
/// Neither way shares links between groups of one node: NVSwitch does not, PCIe does. Throws UserError where the GPU has no all-reduce at all.
InNodeForm in_node_form(const GpuProfile& gpu, Collective collective, std::int64_t gpus);

}  // namespace joulecast::hardware
