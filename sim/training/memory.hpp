#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

/// Bytes that one GPU of a stage holds, by part.
struct StageMemory {
  double weights = 0;      ///< 16 bits a parameter
  double gradients = 0;    ///< fp32 of what is trained
  double optimizer = 0;    ///< fp32 master weights and both moments of Adam, over the ranks with ZeRO-1
  double activations = 0;  ///< of the microbatches in flight
  double collectives = 0;  ///< NCCL's buffers
  double total() const { return weights + gradients + optimizer + activations + collectives; }
};

/// By stage. `in_flight`: microbatches on all the chunks of each stage at once (peak_in_flight of its schedule).
///
/// Activations of a microbatch and layer are those of Korthikanti et al. (arXiv 2205.05198), for 16 bits a value, s tokens, b sequences, width h, a
/// heads over t ranks: `s b h (10 + 24/t + 5 a s/(h t))`, over t in whole with sequence parallelism (equations 2 and 4); without the last term where
/// scores are recomputed or never written (equation 6, flash attention); only the layer's input, 2 s b h, and one layer in full where layers
/// are recomputed (section 5). Terms of the feed-forward layer (of the 24: 4 h of inner channels) follow its own width. The first stage adds the
/// embedding's dropout, the last one norm, unembedding and fp32 logits: `4 s b h/t (1 + v/h)` (section 4.3) in its one microbatch. Adapters beside
/// frozen weights keep as much (an upper bound). Not counted: the CUDA context, workspaces, fragmentation.
std::vector<StageMemory> stage_memory(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout,
                                      const std::vector<double>& in_flight);

/// Throws UserError at `place` where a stage does not fit into the GPU's memory, with all its parts, the largest first and named, by how much it is
/// over, and what to change.
void check_memory(const hardware::GpuProfile& gpu, const llm::Architecture& model, const Layout& layout, const std::vector<double>& in_flight,
                  const Place& place);

}  // namespace joulecast::training
