#include "training/stage_update.hpp"

#include <algorithm>

namespace joulecast::training {

namespace {

using hardware::Collective;

constexpr double kGradientBytes = 4, kOptimizerBytes = 38;

/// Seconds of the gradients' way and of the weights' way back.
struct SyncSeconds {
  double gradients = 0, weights = 0;
};

SyncSeconds sync_seconds(double parameters, const hardware::RankGroup& group, bool distributed_optimizer,
                         const hardware::CollectiveTimes& collectives) {
  if (group.ranks < 2 || parameters <= 0) return {};
  const double gradients = kGradientBytes * parameters;
  if (!distributed_optimizer) return {collectives.seconds(Collective::all_reduce, gradients, group), 0};
  return {collectives.seconds(Collective::reduce_scatter, gradients, group),
          collectives.seconds(Collective::all_gather, kValueBytes * parameters, group)};
}

}  // namespace

StageUpdate stage_update(const StageParameters& parameters, const Layout& layout, bool shares_embedding, double hiding_backward,
                         double hiding_forward, const WorkTimes& times, const RankGroups& groups, const hardware::CollectiveTimes& collectives) {
  const bool lora = layout.method == Method::lora;
  const auto dense = sync_seconds(lora ? parameters.adapters : parameters.dense, groups.gradient, layout.distributed_optimizer, collectives);
  const auto experts = sync_seconds(lora ? 0 : parameters.experts, groups.expert_gradient, layout.distributed_optimizer, collectives);
  double gradients = dense.gradients + experts.gradients, weights = dense.weights + experts.weights;
  if (layout.overlap_grad_reduce) {
    gradients = std::max(0.0, gradients - hiding_backward);
    weights = std::max(0.0, weights - hiding_forward);
  }
  double seconds = gradients + weights;
  if (shares_embedding && !lora) {
    seconds += collectives.seconds(Collective::all_reduce, kGradientBytes * parameters.embedding, groups.pipeline_ends);
  }
  StageUpdate update;
  if (seconds > 0) update.gradient_sync.push_back({{{times.collective(seconds, in_node(groups.gradient) && !shares_embedding)}, 0}, 1});

  const double ranks = layout.distributed_optimizer ? static_cast<double>(layout.data * layout.context) : 1;
  update.optimizer.push_back({{{times.elementwise(kOptimizerBytes * parameters.trained(layout.method) / ranks)}, 0}, 1});
  return update;
}

}  // namespace joulecast::training
