#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "hardware/fabric/collective_forms.hpp"
#include "hardware/figure.hpp"
#include "hardware/training_efficiency.hpp"

namespace joulecast::hardware {

/// SM clocks that a GPU can be locked to, and the clock at which its times and watts were taken.
struct Clocks {
  Figure<Hertz> lowest, highest, step;
  Figure<Hertz> reference;  ///< what "auto" runs at where no cap acts; every table and class watt of the profile is at this clock
  Figure<Hertz> memory;
};

/// Board power limit: what nvidia-smi calls min, default and max.
struct PowerLimit {
  Figure<Watts> least, standard, most;
};

/// Watts of the states in which a GPU does no work.
struct IdleWatts {
  Figure<Watts> bare, context, spin_wait;
};

/// GEMM time `launch + (tc^p + tm^p)^(1/p)`, tc = FLOP/(compute_efficiency*peak), tm = bytes/(memory_efficiency*bandwidth), p = sharpness.
struct GemmForm {
  Figure<Seconds> launch;
  Figure<double> compute_efficiency, memory_efficiency, sharpness;
};

/// Share of an operation's time that scales with the SM clock, at the reference clock, by kind of work; `sharpness` is p of the clock form.
struct ClockForm {
  Figure<double> memory_bound;  ///< GEMM (at least; its tc/t where that is more), decode attention, elementwise
  Figure<double> context_attention;
  Figure<double> collective;
  Figure<double> sharpness;
};

/// Split of a class's watts at the reference clock, and the voltage curve: `g = f*(1 + s*max(0, f - knee*top))^2`, g's voltage at the top clock
/// being `voltage_ratio`.
struct PowerSplit {
  Figure<double> dynamic_share;  ///< D over the class watts
  Figure<double> knee;           ///< share of the highest clock below which the voltage is flat
  Figure<double> voltage_ratio;  ///< voltage at the highest clock over the flat one
};

/// Watts of a GPU by class of work at the reference clock; GEMM draws `gemm_base + gemm_slope*sqrt(u)`, u = FLOP/(time*peak) of the class in the
/// step.
struct ClassWatts {
  Figure<Watts> gemm_base, gemm_slope, attention, collective, elementwise, host;
};

/// Host time added to each step: `step + sequence*sequences + layer*layers`.
struct HostCost {
  Figure<Seconds> step, sequence, layer;
};

/// Host time a step beyond HostCost where other engines share the node's CPUs: `root*sqrt(sequences)`, and `long_outputs` where answers run to
/// thousands of tokens.
struct HostContention {
  Figure<Seconds> root, long_outputs;
};

/// What layers of experts take beside their GEMMs, in time that neither bandwidth nor peak explains: `layer` each (routing, sorting), `top1_layer`
/// more where a token goes to one expert (its routing is not fused and waits for the host), `quantized_layer` more where activations are scaled to
/// fp8 in blocks, and `visit` a visit of a token to an expert in a layer, of all GPUs together (sorting runs on one multiprocessor).
struct MixtureCost {
  Figure<Seconds> layer, top1_layer, quantized_layer, visit;
};

/// Memory that weights and KV cannot have, beside the share that the engine leaves free.
struct MemoryOverhead {
  Figure<Bytes> engine;       ///< activations, graphs, context
  Figure<Bytes> collectives;  ///< NCCL's buffers, at more than one GPU
};

/// In-node all-reduce `alpha + c*sqrt(bytes) + bytes/beta` (c in s/sqrt(byte)) of `gpus` GPUs.
struct AllReduceForm {
  std::int64_t gpus = 0;
  Figure<Seconds> alpha;
  Figure<double> root;
  Figure<BytesPerSecond> beta;
};

/// One layer's attention where no table holds the heads: a decoding sequence reads its KV at `memory_efficiency` of the bandwidth, a prompt computes
/// at `compute_efficiency` of the peak; both behind `launch`.
struct AttentionForm {
  Figure<Seconds> launch;
  Figure<double> memory_efficiency, compute_efficiency;
};

/// Tables that a profile names, as paths that can be opened; empty where the form has to do.
struct TableFiles {
  std::string operations;           ///< read by OperationTables
  std::vector<std::string> layers;  ///< whole-layer tables, one a (model, TP)
};

struct GpuProfile {
  std::string file;
  std::string name;  ///< "H100 SXM"
  std::vector<std::string> aliases;
  Figure<Bytes> memory;  ///< what CUDA reports as total
  Figure<BytesPerSecond> memory_bandwidth;
  Figure<FlopsPerSecond> peak_bf16;  ///< dense, bf16 and fp16
  Clocks clocks;
  PowerLimit power_limit;
  IdleWatts idle;
  Figure<Seconds> switch_latency;
  GemmForm gemm;
  AttentionForm attention;
  ClockForm clock;
  PowerSplit power;
  ClassWatts watts;
  HostCost host;
  std::optional<HostContention> contention;  ///< absent: nobody has seen a shared host slow this GPU
  std::optional<MixtureCost> mixture;        ///< absent: nobody has compared; the GEMMs alone count
  MemoryOverhead overhead;
  Figure<double> elementwise_efficiency;       ///< share of the memory bandwidth
  std::vector<AllReduceForm> all_reduce;       ///< rising GPU counts
  std::vector<CollectiveForm> collectives;     ///< the others, by collective and rising GPU counts
  std::optional<TrainingEfficiency> training;  ///< absent: nothing is known of training on this GPU
  TableFiles tables;
  Figure<double> bottom_up_error;               ///< half-width of the 80 % interval of joules a token of a dense model never measured on this GPU
  std::optional<Figure<double>> mixture_error;  ///< the same of a mixture of experts; absent: nobody has compared one

  /// Clocks that exist, rising.
  std::vector<Hertz> clock_list() const;
};

/// One line of a profile's figures, for `profiles` and for tests that every figure has a source.
struct FigureLine {
  std::string key;
  double value = 0;  ///< SI
  std::string source;
  FigureKind kind = FigureKind::modelled;
  std::optional<double> error;
};

/// Reads a GPU profile and reports every fault; the result is only meaningful where `diagnostics` has not failed.
GpuProfile load_gpu(const std::string& path, config::Diagnostics& diagnostics);

/// Every figure of a profile, in the order of the file's record.
std::vector<FigureLine> figures(const GpuProfile& gpu);

}  // namespace joulecast::hardware
