#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "training/graph.hpp"

namespace joulecast::training {

inline FixedTime time_of(double s) { return FixedTime::from_units(s); }
inline FixedEnergy energy_of(double j) { return FixedEnergy::from_units(j); }

/// One clock at 100 W.
inline std::vector<OperatingPoint> one_point(double s) {
  OperatingPoint point;
  point.clock = Hertz(1e9);
  point.time = time_of(s);
  point.energy = energy_of(100 * s);
  return {point};
}

/// A pipeline of equal stages, waiting at 10 W: a chunk's forward, backward input and backward weight passes last `f`, `i` and `w` seconds, its whole
/// backward `i + w`.
inline IterationParts equal_stages(std::int32_t stages, std::int32_t chunks, double f, double i, double w) {
  IterationParts parts;
  parts.costs = {one_point(f), one_point(i), one_point(w), one_point(0)};
  parts.costs[3][0].time = parts.costs[1][0].time + parts.costs[2][0].time;
  parts.costs[3][0].energy = parts.costs[1][0].energy + parts.costs[2][0].energy;
  StageKinds stage;
  stage.chunks.assign(static_cast<std::size_t>(chunks), ChunkKinds{0, 3, 1, 2});
  parts.stages.assign(static_cast<std::size_t>(stages), stage);
  parts.blocking.assign(static_cast<std::size_t>(stages), Watts(10));
  return parts;
}

/// The first fault of what throws a UserError, with its remedy; "" where nothing is thrown.
template <class Action>
std::string fault_of(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.faults().front().text();
  }
  return {};
}

}  // namespace joulecast::training
