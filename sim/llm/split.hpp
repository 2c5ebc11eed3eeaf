#pragma once

#include <cstdint>

#include "llm/architecture.hpp"

namespace joulecast::llm {

/// How a layer's experts lie on the GPUs of a replica: each cut like a dense layer (vLLM's default), or whole ones shared out
/// (--enable-expert-parallel).
enum class ExpertSplit : std::uint8_t { tensor, expert };

/// Throws UserError at `place` where the model can't be split over t GPUs: t must divide the heads, the widths of the feed-forward layers (or the
/// number of experts), and divide or be a multiple of the KV heads; a latent is held whole.
void check_tensor_parallel(const Architecture& model, int t, const Place& place, ExpertSplit split = ExpertSplit::tensor);

/// Throws UserError at `place` where an engine of continuous batching can't be simulated with the model: an encoder, cross-attention, or Mamba
/// layers. Such models load, and count for training.
void check_servable(const Architecture& model, const Place& place);

}  // namespace joulecast::llm
