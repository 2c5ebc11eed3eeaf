#pragma once

#include <cstdint>
#include <vector>

#include "llm/architecture.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

/// Parameters of one stage on one GPU: matrices over tensor parallelism, routers and latent down-projections whole, experts over expert parallelism
/// too.
struct StageParameters {
  double dense = 0;      ///< all but experts: held alike by the data- and context-parallel ranks
  double experts = 0;    ///< held alike by the ranks with the same experts
  double adapters = 0;   ///< of low-rank adapters, beside them
  double embedding = 0;  ///< of `dense`: the embedding or unembedding
  double total() const { return dense + experts; }
  /// What gradients and optimizer states are kept for.
  double trained(Method method) const { return method == Method::lora ? adapters : total(); }
};

/// By stage. The embedding (and learned positions) lie on the first stage, the final norm and the unembedding on the last; where they are tied and
/// the pipeline has more than one stage, both hold a copy.
std::vector<StageParameters> stage_parameters(const llm::Architecture& model, const Layout& layout);

}  // namespace joulecast::training
