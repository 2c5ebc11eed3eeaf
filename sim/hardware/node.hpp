#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hardware/gpu.hpp"
#include "metering/ledger.hpp"

namespace joulecast::hardware {

/// A server: its GPUs and what it draws beside them.
struct NodeProfile {
  std::string file;
  std::string name;  ///< "dgx-h100"
  std::vector<std::string> aliases;
  std::string gpu;  ///< a GPU profile's name
  int gpus = 0;
  std::string fabric;  ///< the fabric profile that joins such nodes where a cluster names none; "" for a node that stands alone
  Figure<Watts> host, fans_peak, fans_peak_dc, psu_rated;
  Figure<double> fans_idle_share;
  Figure<std::vector<std::pair<double, double>>> psu_efficiency;  ///< (share of the rated DC watts, efficiency), rising shares
  Figure<Watts> rated;                                            ///< the maker's rating of the whole node, AC

  /// The node's share of its cluster's switches and optics, AC: `network_watts_a_node` where the cluster has a fabric. Not read from the node's file.
  Watts network{};

  metering::NodeOverhead overhead() const;
  /// AC watts with every GPU at `gpu_limit`.
  Watts nameplate(Watts gpu_limit) const;
};

NodeProfile load_node(const std::string& path, config::Diagnostics& diagnostics);
std::vector<FigureLine> figures(const NodeProfile& node);

}  // namespace joulecast::hardware
