#pragma once

#include "base/quantity.hpp"
#include "hardware/gpu.hpp"

namespace joulecast::hardware {

/// Time of an operation at the reference clock, seconds, with the part of it that scales with the SM clock.
struct Timing {
  double total = 0;
  double core = 0;  ///< 0 .. total
};

/// GEMM time `t0 + (tc^p + tm^p)^(1/p)`, tc = FLOP/(ec*peak), tm = bytes/(em*bandwidth): a smooth maximum of a roofline's two sides. Within 4-9 %
/// (median) of operation tables above 30 us on Hopper and Blackwell. The core part is tc, at least the profile's memory-bound share: thin GEMMs
/// feel the SM clock too, through caches and the network on the chip.
Timing gemm_timing(const GpuProfile& gpu, double flops, double bytes);

/// Elementwise work: bytes over the reached bandwidth.
Timing elementwise_timing(const GpuProfile& gpu, double bytes);

/// Decode attention of one layer where no table is: `t0 + bytes/(em*bandwidth)`.
double generation_attention_seconds(const GpuProfile& gpu, double kv_bytes);
/// Attention of one layer over prompt tokens where no table is: `t0 + FLOP/(ec*peak)`.
double context_attention_seconds(const GpuProfile& gpu, double flops);

/// In-node all-reduce `alpha + c*sqrt(S) + S/beta` of S bytes; 5-8 % on public tables.
double all_reduce_seconds(const AllReduceForm& form, double bytes);
const AllReduceForm* find_all_reduce(const GpuProfile& gpu, std::int64_t gpus);

/// Time and watts at another SM clock f than the reference f0.
/// Time: `t(f) = (a^p + (b*f0/f)^p)^(1/p)` with b the core part at f0 and a^p = t^p - b^p; a speed factor v divides b. Fitted on every fourth
/// clock of an A100's pipeline profile it errs 0.3 % on the others (A40: 1.3-1.6 %).
/// Watts: `P(f) = P_ctx + P_mem + D*g(f)/g(f0)`, `g = f*(1 + s*max(0, f - fk))^2`: flat voltage below the knee fk, rising linearly to
/// `voltage_ratio` at the highest clock. P_ctx is context idle, D the dynamic share of the class watts (never more than what they exceed P_ctx
/// by), P_mem the rest.
/// 0.8-0.9 % (A100), 2.7-3.1 % (A40) over clocks.
class ClockScaling {
 public:
  /// `clock` > 0, `speed_factor` > 0.
  ClockScaling(const GpuProfile& gpu, Hertz clock, double speed_factor);

  /// Exactly `timing.total` at the reference clock and speed 1.
  double seconds(const Timing& timing) const;
  /// Exactly `class_watts` at the reference clock.
  double watts(double class_watts) const;

 private:
  double core_factor_;  ///< f0/(f*v)
  double sharpness_;
  double dynamic_factor_;  ///< g(f)/g(f0)
  double context_watts_, dynamic_share_;
};

/// GEMM class watts at the reference clock: `base + slope*sqrt(u)`, u = FLOP/(seconds*peak) of the class in the step. Fitted on serving runs, 4.6
/// % on H100.
double gemm_watts(const GpuProfile& gpu, double flops, double seconds);

}  // namespace joulecast::hardware
