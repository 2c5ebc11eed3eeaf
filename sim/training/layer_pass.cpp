#include "training/layer_pass.hpp"

#include <algorithm>

namespace joulecast::training {

namespace {

using hardware::Collective;

/// Bytes a score passes through memory between the two products where it is written out: 9 a b s^2/t a layer forward, the part of softmax, mask and
/// dropout.
constexpr double kScoreBytes = 9;
/// Work of a flash attention's backward pass over its forward's: five products against two.
constexpr double kFlashBackward = 2.5;

void append(std::vector<TimedWork>& to, const std::vector<TimedWork>& from, double factor, bool recompute = false) {
  for (auto each : from) {
    each.timing.total *= factor;
    each.timing.core *= factor;
    each.flops *= factor;
    each.recompute = each.recompute || recompute;
    to.push_back(each);
  }
}

}  // namespace

void PassMaker::add_scores(const Scores& scores, Part& part) const {
  const double products = scores.sequences * scores.heads;
  const double cells = products * scores.rows * scores.columns;
  if (layout_.flash_attention) {
    part.scores.push_back(times_.flash_attention(2 * cells * scores.seen * (scores.query_head + scores.value_head)));
  } else {
    const auto product = [&](double head) {
      const double bytes = kValueBytes * (products * (scores.rows + scores.columns) * head + cells);
      part.scores.push_back(times_.attention_product(2 * cells * head, bytes));
    };
    product(scores.query_head);
    product(scores.value_head);
    part.scores.push_back(times_.elementwise(kScoreBytes * cells, Work::attention));
  }
  if (layout_.context < 2) return;
  // Each rank's keys and values go around the ring beside the work on those that have come: exposed is what takes longer than a step of that work.
  double work = 0;
  for (const auto& each : part.scores) work += each.timing.total;
  const double ranks = static_cast<double>(layout_.context);
  const auto& group = groups_.context;
  const hardware::RankGroup neighbours{2, std::min<std::int64_t>(2, group.ranks_per_node), group.groups_per_node * group.ranks_per_node};
  const double step = collectives_.seconds(Collective::send, kValueBytes * scores.kv_elements, neighbours);
  part.collectives.push_back(times_.collective((ranks - 1) * std::max(0.0, step - work / ranks), in_node(group)));
}

void PassMaker::add_collectives(const LayerWork& layer, Part& part) const {
  if (layout_.tensor > 1 && layer.all_reduces > 0) {
    const auto& group = groups_.tensor;
    const double bytes = layer.residual_bytes;
    const double one = layout_.sequence_parallel ? collectives_.seconds(Collective::all_gather, bytes, group) +
                                                       collectives_.seconds(Collective::reduce_scatter, bytes, group)
                                                 : collectives_.seconds(Collective::all_reduce, bytes, group);
    part.tensor_collectives.push_back(times_.collective(static_cast<double>(layer.all_reduces) * one, in_node(group)));
  }
  if (layer.all_to_all_bytes > 0) {
    const double one = collectives_.seconds(Collective::all_to_all, layer.all_to_all_bytes, groups_.expert);
    part.collectives.push_back(times_.collective(2 * one, in_node(groups_.expert)));
  }
}

PassMaker::Part PassMaker::part_of(const LayerWork& layer) const {
  Part part;
  for (const auto& each : layer.scores) add_scores(each, part);
  if (layer.elementwise_bytes > 0) part.elementwise.push_back(times_.elementwise(layer.elementwise_bytes));
  add_collectives(layer, part);
  return part;
}

void PassMaker::add_gemms(const std::vector<Matrix>& matrices, Product product, LayerPass& pass) const {
  for (const auto& each : matrices) {
    const auto matrix = product == Product::forward ? each : product == Product::input_gradient ? each.input_gradient() : each.weight_gradient();
    pass.work.push_back(times_.gemm(matrix));
  }
}

std::vector<TimedWork> PassMaker::exposed_backward(const LayerWork& layer, const Part& part) const {
  if (!layout_.overlap_tensor_parallel || layout_.method != Method::pretrain) return part.tensor_collectives;
  LayerPass gradients;
  add_gemms(layer.matrices, Product::weight_gradient, gradients);
  double weights = 0, communication = 0;
  for (const auto& each : gradients.work) weights += each.timing.total;
  for (const auto& each : part.tensor_collectives) communication += each.timing.total;
  if (communication <= 0) return {};
  const double hideable = layout_.sequence_parallel ? 0.5 : 1;
  const double hidden = std::min(hideable * communication, weights);
  std::vector<TimedWork> exposed;
  append(exposed, part.tensor_collectives, 1 - hidden / communication);
  return exposed;
}

LayerPasses PassMaker::of(const LayerWork& layer) const {
  const Part part = part_of(layer);
  const double host = times_.host_layer_pass();
  LayerPasses passes;
  auto& once = passes.forward;
  once.host = host;
  add_gemms(layer.matrices, Product::forward, once);
  add_gemms(layer.adapters, Product::forward, once);
  for (const auto* each : {&part.scores, &part.elementwise, &part.tensor_collectives, &part.collectives}) append(once.work, *each, 1);
  if (layout_.recompute == Recompute::full) {
    passes.recomputed.host = host;
    append(passes.recomputed.work, once.work, 1, true);
  }

  auto& input = passes.backward_input;
  add_gemms(layer.matrices, Product::input_gradient, input);
  add_gemms(layer.adapters, Product::input_gradient, input);
  append(input.work, part.scores, layout_.flash_attention ? kFlashBackward : 2);
  append(input.work, part.elementwise, 2);
  append(input.work, part.collectives, 1);
  if (layout_.recompute == Recompute::selective && !layout_.flash_attention) append(input.work, part.scores, 1, true);
  auto& weight = passes.backward_weight;
  if (layout_.method == Method::pretrain) add_gemms(layer.matrices, Product::weight_gradient, weight);
  add_gemms(layer.adapters, Product::weight_gradient, weight);
  input.host = weight.host = host / 2;

  passes.backward.host = host;
  append(passes.backward.work, input.work, 1);
  append(passes.backward.work, weight.work, 1);
  append(passes.backward.work, exposed_backward(layer, part), 1);
  append(input.work, part.tensor_collectives, 1);
  return passes;
}

}  // namespace joulecast::training
