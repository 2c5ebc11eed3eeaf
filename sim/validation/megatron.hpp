#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Iterations of Korthikanti et al. (arXiv 2205.05198, table 5) on A100 80 GB: four models, full recompute against selective recompute with sequence
/// parallelism, fp16, sequence 2048, TP 8, no data parallelism; with the efficiencies of A100's profile, not refitted. Assumed and not published: 100
/// GB/s of NICs a node, messages between stages not overlapped, tensor-parallel collectives overlapped with the weights' gradients (Megatron-LM of
/// 2022), attention without flash.
Comparison megatron();

}  // namespace joulecast::validation
