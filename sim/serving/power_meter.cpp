#include "serving/power_meter.hpp"

namespace joulecast::serving {

double PowerMeter::it_watts(std::span<const std::vector<double>> watts) const {
  double sum = 0;
  for (const MeasuredNode& node : nodes_) {
    double gpus = node.unused.si();
    for (const auto& [pool, replica] : node.replicas) gpus += watts[pool][replica];
    sum += (node.overhead.chassis_ac(Watts(gpus)) + node.overhead.network).si();
  }
  return sum;
}

}  // namespace joulecast::serving
