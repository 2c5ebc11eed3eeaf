#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "metering/node_overhead.hpp"

namespace joulecast::serving {

/// A node that a power controller measures: the replicas on it and what its other GPUs draw.
struct MeasuredNode {
  metering::NodeOverhead overhead;
  std::vector<std::pair<std::size_t, std::size_t>> replicas;  ///< (pool, replica of it)
  Watts unused{};                                             ///< of all its GPUs that nobody uses
};

/// Watts that reach nodes, from the energy counters of their GPUs: what a row's meter shows.
class PowerMeter {
 public:
  explicit PowerMeter(std::vector<MeasuredNode> nodes) : nodes_(std::move(nodes)) {}

  /// Mean watts at the `it` boundary of an interval over which replica r of pool p drew `watts[p][r]`.
  double it_watts(std::span<const std::vector<double>> watts) const;

 private:
  std::vector<MeasuredNode> nodes_;
};

}  // namespace joulecast::serving
