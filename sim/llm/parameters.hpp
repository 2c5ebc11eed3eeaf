#pragma once

#include <cstdint>

#include "llm/architecture.hpp"

namespace joulecast::llm {

/// Parameters by part. Vectors are norms, biases, sinks, positions and what Mamba keeps a head or channel.
struct ParameterCounts {
  std::int64_t attention = 0;  ///< projection matrices, cross-attention's included
  std::int64_t feed_forward = 0, shared_experts = 0, experts = 0, router = 0, mamba = 0, vectors = 0, expert_vectors = 0;
  std::int64_t embedding = 0, unembedding = 0, other = 0;
  std::int64_t replicated = 0;  ///< of these, what tensor parallelism doesn't split: routers and latent down-projections

  std::int64_t total() const {
    return attention + feed_forward + shared_experts + experts + router + mamba + vectors + expert_vectors + embedding + unembedding + other;
  }
  ParameterCounts& operator+=(const ParameterCounts& more);
};

/// Of layer `index` (from 0) of the decoder, or of an encoder that stands alone.
ParameterCounts layer_parameters(const Architecture& model, std::int64_t index);
/// Of one layer of the encoder beside a decoder.
ParameterCounts encoder_layer_parameters(const Architecture& model);
/// Of the whole model.
ParameterCounts parameter_counts(const Architecture& model);

}  // namespace joulecast::llm
