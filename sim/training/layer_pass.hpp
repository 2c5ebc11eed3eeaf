#pragma once

#include <cstdint>
#include <vector>

#include "hardware/fabric/collective_times.hpp"
#include "training/layer_work.hpp"
#include "training/layout.hpp"
#include "training/rank_groups.hpp"
#include "training/work_times.hpp"

namespace joulecast::training {

/// One pass of one layer on one GPU: its work at the reference clock and what the host needs to launch it.
struct LayerPass {
  std::vector<TimedWork> work;
  double host = 0;  ///< seconds
};

/// The passes of one layer. Backward is twice forward (2.5 times in flash attention, which makes the scores again): once for the inputs' gradients,
/// once for the weights', which frozen weights have none of. Elementwise work and attention belong to the input part. `recomputed` is empty unless
/// whole layers are. With `overlap_tensor_parallel` the collectives that follow an input gradient of a column-split matrix are exposed in `backward`
/// only as far as the weights' gradients do not hide them: all of a layer's all-reduces, half of the all-gathers and reduce-scatters of sequence
/// parallelism (Korthikanti et al., arXiv 2205.05198, sections 4.2.2 and 6). A backward pass cut in two has nothing to hide them behind.
struct LayerPasses {
  LayerPass forward, recomputed, backward, backward_input, backward_weight;
};

/// Turns a layer's work into passes.
class PassMaker {
 public:
  /// The arguments must outlive this.
  PassMaker(const WorkTimes& times, const Layout& layout, const RankGroups& groups, const hardware::CollectiveTimes& collectives)
      : times_(times), layout_(layout), groups_(groups), collectives_(collectives) {}

  LayerPasses of(const LayerWork& layer) const;

 private:
  struct Part {
    std::vector<TimedWork> scores, elementwise, tensor_collectives, collectives;
  };
  /// All but GEMMs, in a forward pass.
  Part part_of(const LayerWork& layer) const;
  enum class Product : std::uint8_t { forward, input_gradient, weight_gradient };
  void add_gemms(const std::vector<Matrix>& matrices, Product product, LayerPass& pass) const;
  void add_scores(const Scores& scores, Part& part) const;
  void add_collectives(const LayerWork& layer, Part& part) const;
  std::vector<TimedWork> exposed_backward(const LayerWork& layer, const Part& part) const;

  const WorkTimes& times_;
  const Layout& layout_;
  const RankGroups& groups_;
  const hardware::CollectiveTimes& collectives_;
};

}  // namespace joulecast::training
