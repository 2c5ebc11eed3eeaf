#pragma once

#include <optional>
#include <vector>

#include "hardware/training_efficiency.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

/// Iterations on H100 that NVIDIA publishes (dgxc-benchmarking): GPT-3 175B (bf16, TP4 PP8 VP12, microbatch 1, sequence 2048, global batch twice the
/// GPUs) on 128 to 2048 GPUs, and Llama-3.1 405B (TP8 PP9 CP2 VP7, sequence 8192) on 576 to 2304. The GEMM derate is fitted on the first point; the
/// rest follows.
/// Assumed and not published: flash attention, sequence parallelism, no recompute, distributed optimizer whose reduce-scatter and all-gather are
/// exposed, messages between stages overlapped, tensor-parallel collectives overlapped with the weights' gradients, 400 GB/s of NICs a node.
struct DgxcPoint {
  std::int64_t gpus = 0;
  double measured = 0, modelled = 0;  ///< seconds
};
struct DgxcSeries {
  hardware::FittedEfficiency fitted;
  std::vector<DgxcPoint> gpt3, llama;
};
DgxcSeries dgxc_series(const Sources& sources);

/// Growth from 128 to 2048 GPUs, per cent.
double growth(const std::vector<DgxcPoint>& series);

/// Needs no folder of data: the seconds published are in the entries.
Comparison dgxc();

/// AC watts of an air-cooled node of 8 H100 in training, from the model alone, against 76 % of the 10.2 kW that DGX H100 is rated at (arXiv
/// 2506.14551). The training is the GPT-3 175B job on 128 GPUs above: its mean watts of a GPU, waits included, through the node profile.
Comparison node_power_blind();

}  // namespace joulecast::validation
