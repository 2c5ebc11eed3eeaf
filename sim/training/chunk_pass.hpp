#pragma once

#include <optional>
#include <vector>

#include "training/iteration.hpp"
#include "training/layer_pass.hpp"

namespace joulecast::training {

/// A layer's pass, `times` over.
struct RepeatedPass {
  LayerPass pass;
  double times = 1;
};

/// What the GPUs of a job are set to.
struct ClockSettings {
  std::optional<Hertz> lock;  ///< absent: the profile's reference clock
  std::optional<Watts> cap;   ///< absent: the board's default limit
  bool every_clock = false;   ///< operating points at all clocks up to the lock that exist; else at the lock alone
  double speed_factor = 1;    ///< of core time: 0.9 makes core-bound work take 1/0.9
};

/// Operating points of operations.
///
/// A layer's pass takes `((GPU + communication)^4 + host^4)^(1/4)`: the host launches ahead, so the longer of the two sets the pace; what it takes
/// beyond GPU and communication is time in which the GPU waits for a launch, at class host's watts. GPU and communication times follow the SM clock
/// as hardware::ClockScaling says, the host's do not. Energy is each class's time at its watts at the clock; a GEMM's follow the rate at which the
/// pass's GEMMs compute at the reference clock.
/// The cap acts on the mean watts of an operation: its points begin at the highest clock that keeps the cap (at the lowest clock where none does),
/// so that `clock` is the clock achieved.
class OperatingPoints {
 public:
  /// `gpu` must outlive this.
  OperatingPoints(const hardware::GpuProfile& gpu, const ClockSettings& settings);

  /// Of `gpus` GPUs that do the same passes one after another.
  std::vector<OperatingPoint> of(const std::vector<RepeatedPass>& passes, std::int64_t gpus) const;

 private:
  struct Cost;
  Cost at(const hardware::ClockScaling& scaling, const std::vector<RepeatedPass>& passes) const;

  const hardware::GpuProfile& gpu_;
  std::vector<Hertz> clocks_;  ///< falling
  std::vector<hardware::ClockScaling> scalings_;
  double cap_;
  bool every_clock_;
};

}  // namespace joulecast::training
