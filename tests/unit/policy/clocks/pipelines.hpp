#pragma once

#include <cstdint>
#include <vector>

#include "base/philox.hpp"
#include "training/graph.hpp"
#include "training/replay.hpp"
#include "training/schedule.hpp"

namespace joulecast::test {

inline training::OperatingPoint point(double megahertz, double seconds, double joules) {
  training::OperatingPoint made;
  made.clock = Hertz(megahertz * 1e6);
  made.time = FixedTime::from_units(seconds);
  made.energy = FixedEnergy::from_units(joules);
  return made;
}

using Points = std::vector<training::OperatingPoint>;

/// A 1F1B pipeline from the points of each stage's forward and backward pass.
inline training::Iteration pipeline(const std::vector<std::pair<Points, Points>>& stages, int microbatches, double blocking_watts,
                                    double message = 0) {
  training::IterationParts parts;
  for (const auto& [forward, backward] : stages) {
    training::ChunkKinds kinds;
    kinds.forward = static_cast<std::int32_t>(parts.costs.size());
    kinds.backward = kinds.forward + 1;
    parts.costs.push_back(forward);
    parts.costs.push_back(backward);
    parts.stages.push_back({{kinds}, -1, -1});
    parts.blocking.push_back(Watts(blocking_watts));
  }
  parts.forward_message = parts.backward_message = FixedTime::from_units(message);
  const auto count = static_cast<std::int32_t>(stages.size());
  return training::build_iteration(training::make_schedule(training::ScheduleKind::one_f_one_b, {count, microbatches, 1}), parts);
}

/// Points at falling clocks, times rising by up to a half of the shortest, energies falling and rising again, neither smooth nor convex.
inline Points random_points(Stream& stream, int count) {
  Points points;
  double time = 0.5 + stream.uniform(), energy = 100 + 100 * stream.uniform();
  for (int i = 0; i < count; ++i) {
    points.push_back(point(1400 - 50 * i, time, energy));
    time += (0.02 + 0.1 * stream.uniform()) * points.front().time.units();
    energy *= 0.85 + 0.2 * stream.uniform();
  }
  return points;
}

inline training::Iteration random_pipeline(std::uint64_t seed, int stages, int microbatches, int points, double blocking_watts = 60) {
  Stream stream(seed, "pipeline", "points");
  std::vector<std::pair<Points, Points>> all;
  for (int s = 0; s < stages; ++s) {
    Points forward = random_points(stream, points);
    all.emplace_back(std::move(forward), random_points(stream, points));
  }
  return pipeline(all, microbatches, blocking_watts, seed % 2 == 0 ? 0.05 : 0);
}

}  // namespace joulecast::test
