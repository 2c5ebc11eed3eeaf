#pragma once

#include <cstdint>
#include <vector>

#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// Where one replica's stage of a job lies: in a part of `node`, or in `nodes` whole nodes from it on.
struct StagePlace {
  std::int32_t stage = 0, replica = 0;
  int node = 0, nodes = 1;
};

/// Stages of a job in Megatron's order (tensor-parallel ranks next to each other, then context, data, pipeline), each in the first node of the
/// cluster with enough free GPUs, or in whole free nodes where it is larger than one. Takes them from `free`; nothing where they do not suffice.
std::vector<StagePlace> place_job(const TrainingJob& job, int gpus_per_node, std::vector<int>& free);

}  // namespace joulecast::scenario
