#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"

namespace joulecast::policy {

/// What one call of a kernel takes at one pair of memory and core clocks.
struct KernelOption {
  std::int32_t setting = 0;  ///< which pair: position in KernelSet::settings
  double seconds = 0, joules = 0;
};

/// A kernel of a training iteration.
struct Kernel {
  std::string name;
  std::int32_t repeat = 1;            ///< calls an iteration
  std::vector<KernelOption> options;  ///< the first is the baseline: both clocks on auto
};

/// The kernels of an iteration in the order of their calls. Neighbours with the same `repeat` above 1 are the body of a loop over layers: they are
/// called in turn, that many times. After the last the iteration begins again.
struct KernelSet {
  std::vector<std::string> settings;  ///< "5001/auto": memory and core MHz
  std::vector<Kernel> kernels;
};

/// By kernel: which of its options. The same in every layer.
using KernelPlan = std::vector<std::int32_t>;

/// What a change of clocks costs.
struct SwitchCost {
  Seconds latency;  ///< nothing runs meanwhile
  Watts waiting;    ///< drawn meanwhile
};

struct KernelTotals {
  double seconds = 0, joules = 0;
  std::int64_t changes = 0;  ///< clock changes an iteration, the one back to its first kernel included
};

/// Neighbouring kernels that are called in turn, `repeat` times over.
struct KernelLoop {
  std::size_t first = 0, count = 0;
  std::int32_t repeat = 1;
};
std::vector<KernelLoop> loops(const KernelSet& set);

/// An iteration under a plan (empty: the baseline), its clock changes charged.
KernelTotals totals(const KernelSet& set, const KernelPlan& plan, const SwitchCost& cost = {});

}  // namespace joulecast::policy
