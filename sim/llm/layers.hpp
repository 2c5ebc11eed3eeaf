#pragma once

#include <cstdint>

#include "llm/architecture.hpp"

namespace joulecast::llm {

/// What one layer of a decoder (or of an encoder that stands alone) is made of.
struct Layer {
  enum class FeedForward : std::uint8_t { none, dense, experts };
  bool attention = true;
  bool local = false;  ///< attention sees a window
  bool cross = false;  ///< attends to the encoder's output too
  bool mamba = false;
  FeedForward feed_forward = FeedForward::dense;
};

/// Layer `index`, counted from 0.
Layer layer(const Architecture& model, std::int64_t index);

struct LayerCounts {
  std::int64_t attention = 0;  ///< those with attention, local ones included
  std::int64_t local = 0, cross = 0, mamba = 0, dense = 0, experts = 0;
};
LayerCounts count_layers(const Architecture& model);

}  // namespace joulecast::llm
