#pragma once

#include <cstdint>
#include <vector>

#include "config/diagnostics.hpp"
#include "scenario/place_training.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// Which node of its cluster a replica lies in: pools in the order of the file, each replica in the first node that still has enough free GPUs.
struct Placement {
  std::vector<std::vector<int>> node_of_replica;       ///< [pool][replica], a node of the pool's cluster
  std::vector<std::vector<StagePlace>> stages_of_job;  ///< [job]: after all pools, in the order of the file
  std::vector<std::vector<int>> unused_gpus;           ///< [cluster][node]
  bool fits = true;
};

Placement place(const Scenario& scenario);

/// By cluster and node: whether jobs alone use it, every GPU of it.
std::vector<std::vector<bool>> nodes_of_jobs(const Scenario& scenario, const Placement& placement);

/// Reports the clusters whose GPUs do not suffice.
void check_placement(const Scenario& scenario, config::Diagnostics& diagnostics);

}  // namespace joulecast::scenario
