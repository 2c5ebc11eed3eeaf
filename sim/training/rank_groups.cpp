#include "training/rank_groups.hpp"

#include <algorithm>

namespace joulecast::training {

namespace {

/// `ranks` GPUs, each `stride` after the one before.
hardware::RankGroup group(std::int64_t ranks, std::int64_t stride, std::int64_t gpus, std::int64_t gpus_per_node) {
  const std::int64_t per_node = std::clamp(gpus_per_node / stride, std::int64_t{1}, ranks);
  const std::int64_t groups = std::max<std::int64_t>(1, std::min(gpus, gpus_per_node) / per_node);
  return {ranks, per_node, groups, std::max<std::int64_t>(1, stride / gpus_per_node)};
}

/// Two GPUs of stages that are `stride` apart; every GPU of a stage that lies in the node sends at once.
hardware::RankGroup stage_pair(const Layout& layout, std::int64_t stride, std::int64_t gpus_per_node) {
  const std::int64_t stage = layout.gpus_per_stage() * layout.data;
  const bool one_node = layout.gpus() <= gpus_per_node;
  return {2, one_node ? 2 : 1, std::min(stage, gpus_per_node), std::max<std::int64_t>(1, stride * stage / gpus_per_node)};
}

}  // namespace

RankGroups rank_groups(const Layout& layout, std::int64_t gpus_per_node) {
  const std::int64_t gpus = layout.gpus();
  const std::int64_t same_weights = layout.data * layout.context;
  RankGroups groups;
  groups.tensor = group(layout.tensor, 1, gpus, gpus_per_node);
  groups.context = group(layout.context, layout.tensor, gpus, gpus_per_node);
  groups.expert = group(layout.expert, layout.tensor, gpus, gpus_per_node);
  groups.gradient = group(same_weights, layout.tensor, gpus, gpus_per_node);
  groups.expert_gradient = group(std::max<std::int64_t>(1, same_weights / layout.expert), layout.tensor * layout.expert, gpus, gpus_per_node);
  groups.stages = stage_pair(layout, 1, gpus_per_node);
  groups.pipeline_ends = stage_pair(layout, std::max<std::int64_t>(1, layout.pipeline - 1), gpus_per_node);
  return groups;
}

}  // namespace joulecast::training
