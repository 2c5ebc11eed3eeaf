#pragma once

#include "hardware/fabric/collective_times.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

/// Where the ranks of a job's groups lie on full nodes of `gpus_per_node` GPUs, tensor-parallel fastest, then context, data, pipeline. All groups of
/// a kind communicate at the same time, so those that touch a node share its NICs.
struct RankGroups {
  hardware::RankGroup tensor;           ///< splits each matrix
  hardware::RankGroup context;          ///< splits each sequence
  hardware::RankGroup expert;           ///< spreads experts
  hardware::RankGroup gradient;         ///< holds the same weights: data and context parallel
  hardware::RankGroup expert_gradient;  ///< holds the same experts
  hardware::RankGroup stages;           ///< two GPUs of neighbouring stages; across nodes unless the whole pipeline lies in one
  hardware::RankGroup pipeline_ends;    ///< a GPU of the first and one of the last stage, which share tied embeddings
};
RankGroups rank_groups(const Layout& layout, std::int64_t gpus_per_node);

/// The whole group lies in one node.
inline bool in_node(const hardware::RankGroup& group) { return group.ranks <= group.ranks_per_node; }

}  // namespace joulecast::training
