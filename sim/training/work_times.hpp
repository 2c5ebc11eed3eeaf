#pragma once

#include <cstdint>

#include "hardware/forms.hpp"
#include "hardware/gpu.hpp"
#include "training/layer_work.hpp"

namespace joulecast::training {

/// Classes of a GPU's work in a training pass; each has its watts in the profile.
enum class Work : std::uint8_t { gemm, attention, elementwise, collective, host };
inline constexpr std::size_t kWorks = 5;

/// Work of one GPU at the reference clock.
struct TimedWork {
  Work work = Work::gemm;
  hardware::Timing timing;
  double flops = 0;        ///< counted for GEMMs: their watts follow the rate
  bool recompute = false;  ///< forward work done again in a backward pass
};

/// Times of the work of training on a GPU at its reference clock, seconds, with the part that scales with the SM clock:
///   GEMM          launch + max(FLOP*w/(derate*compute*peak), bytes/(memory*bandwidth)), figures of [training] and [training.fitted];
///                 w >= 1: tiles of 128 x 256 results (either way around, thin matrices' as thin as they) take whole waves of one a
///                 multiprocessor, the last of which may be part empty
///   elementwise   bytes/(elementwise*bandwidth)
///   flash attention  as prompt attention in serving: [attention] of the profile
/// The core part is that of hardware::gemm_timing and its neighbours: compute, at least the profile's memory-bound share.
class WorkTimes {
 public:
  /// Throws UserError where the profile has no [training]. `gpu` must outlive this.
  explicit WorkTimes(const hardware::GpuProfile& gpu);

  /// C[m,n] = A[m,k] B[k,n], `times` over in one launch each.
  TimedWork gemm(const Matrix& matrix) const;
  /// The form without waves, for the many products inside attention, at attention's watts.
  TimedWork attention_product(double flops, double bytes) const;
  TimedWork flash_attention(double flops) const;
  TimedWork elementwise(double bytes, Work work = Work::elementwise) const;
  /// A collective of `seconds`; its core part where it stays in a node, none where NICs set the pace.
  TimedWork collective(double seconds, bool in_node) const;
  /// What the host needs to launch one pass of one layer, seconds.
  double host_layer_pass() const;

 private:
  hardware::Timing product(double flops, double bytes) const;
  double waves(const Matrix& matrix) const;

  const hardware::GpuProfile& gpu_;
  const hardware::TrainingEfficiency& efficiency_;
};

/// `gpu` with [power_split] as it is in training: pass watts are moved over clocks with [training]'s dynamic share.
hardware::GpuProfile training_power(hardware::GpuProfile gpu);

}  // namespace joulecast::training
