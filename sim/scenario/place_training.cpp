#include "scenario/place_training.hpp"

#include <algorithm>

namespace joulecast::scenario {

std::vector<StagePlace> place_job(const TrainingJob& job, int gpus_per_node, std::vector<int>& free) {
  const auto wanted = static_cast<int>(job.layout.gpus_per_stage());
  const int nodes = (wanted + gpus_per_node - 1) / gpus_per_node;
  if (nodes > 1 && wanted % gpus_per_node != 0) return {};
  std::vector<int> left = free;
  std::vector<StagePlace> places;
  std::size_t node = 0;
  const auto fits = [&] {
    if (nodes == 1) return left[node] >= wanted;
    const auto begin = left.begin() + static_cast<std::ptrdiff_t>(node);
    return std::all_of(begin, begin + nodes, [&](int gpus) { return gpus == gpus_per_node; });
  };
  for (std::int32_t stage = 0; stage < job.layout.pipeline; ++stage) {
    for (std::int32_t replica = 0; replica < job.layout.data; ++replica) {
      while (node + static_cast<std::size_t>(nodes) <= left.size() && !fits()) ++node;
      if (node + static_cast<std::size_t>(nodes) > left.size()) return {};
      places.push_back({stage, replica, static_cast<int>(node), nodes});
      for (int n = 0; n < nodes; ++n) left[node + static_cast<std::size_t>(n)] -= std::min(wanted, gpus_per_node);
    }
  }
  free = std::move(left);
  return places;
}

}  // namespace joulecast::scenario
