#pragma once

#include <cstddef>
#include <vector>

#include "policy/clocks/kernel_set.hpp"

namespace joulecast::policy {

/// Changes a plan by putting runs of neighbouring kernels to one setting, clock changes charged. Of a kernel's options with one setting the one of
/// least energy counts.
class KernelRuns {
 public:
  /// `set` must stay.
  KernelRuns(const KernelSet& set, const SwitchCost& cost);

  /// The change that lowers the energy most within `seconds`, time after time, while there is one.
  KernelPlan improved(const KernelPlan& plan, double seconds);
  /// A plan beyond `seconds` made to keep them: the change that wins time at the least energy a second, time after time. The plan as it is where none
  /// wins any.
  KernelPlan kept(const KernelPlan& plan, double seconds);

 private:
  struct Move {
    std::size_t first = 0, count = 0, setting = 0;
    double seconds = 0, joules = 0;  ///< of the plan with it
  };

  void load(const KernelPlan& plan);
  KernelPlan unload() const;
  void sum();
  long changes(std::size_t first, std::size_t count, std::size_t setting) const;
  template <class Better>
  bool step(Better better);

  const KernelSet& set_;
  SwitchCost cost_;
  std::size_t settings_;
  std::vector<KernelLoop> loops_;
  std::vector<std::vector<std::int32_t>> option_;      ///< by kernel and setting; -1 where there is none
  std::vector<std::vector<double>> seconds_, joules_;  ///< by setting: prefix sums over kernels of all calls; infinite once one lacks it
  std::vector<std::vector<std::size_t>> lacking_;      ///< by setting: prefix counts of kernels that lack it
  std::vector<std::size_t> now_;                       ///< by kernel: its setting
  std::vector<double> now_seconds_, now_joules_;       ///< prefix sums of the plan
  double total_seconds_ = 0, total_joules_ = 0;
};

}  // namespace joulecast::policy
