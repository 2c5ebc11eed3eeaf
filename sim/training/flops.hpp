#pragma once

#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

/// FLOPs of one iteration of the whole job.
///
/// Model FLOPs are those that the method asks for, whatever is recomputed: three times the forward pass (frozen weights: twice, since they have no
/// gradient), counted as 2 m n k of every matrix and 4 b s^2 a d of every attention (no mask counted, as is usual). For a GPT of l layers, width h
/// and vocabulary V this is `72 B s l h^2 (1 + s/(6 h) + V/(12 l h))` (Narayanan et al., arXiv 2104.04473, section 5.1, less its recompute).
/// Hardware FLOPs add what is recomputed: the forward pass of all layers, or that of attention's scores (Korthikanti et al., arXiv 2205.05198,
/// appendix A); what flash attention makes again inside its backward pass is not counted, as is usual.
struct IterationFlops {
  double model = 0, hardware = 0;
};
IterationFlops iteration_flops(const llm::Architecture& model, const Layout& layout);

/// Model FLOPs utilisation `model/(seconds * gpus * peak)` (MFU, PaLM, arXiv 2204.02311, appendix B) and hardware FLOPs utilisation (HFU).
struct Utilisation {
  double mfu = 0, hfu = 0;
};
Utilisation utilisation(const IterationFlops& flops, double seconds, std::int64_t gpus, FlopsPerSecond peak);

}  // namespace joulecast::training
