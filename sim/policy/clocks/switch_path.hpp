#pragma once

#include <cstddef>
#include <vector>

#include "policy/clocks/kernel_set.hpp"

namespace joulecast::policy {

/// The cheapest plan at a price of time, clock changes charged: a shortest closed path over the kernels in the order of their calls, a node a kernel
/// and setting, `joules + price*seconds` a call and a change. A loop over layers is one block: a path through its body, times its repetitions.
class SwitchPath {
 public:
  struct Best {
    KernelPlan plan;
    double value = 0;  ///< joules + price*seconds
  };

  /// `set` must stay. Of a kernel's options with one setting the cheapest at the price counts.
  SwitchPath(const KernelSet& set, const SwitchCost& cost);
  Best solve(double price);

 private:
  struct Block {
    KernelLoop loop;
    std::vector<double> value;  ///< by first and last setting, row by row
  };

  /// How the cheapest way to a block came about.
  struct Way {
    std::vector<std::size_t> entry;  ///< by setting of the block's last kernel: that of its first
    std::vector<std::size_t> from;   ///< by setting of its first kernel: that of the last kernel before
  };

  void weigh(double price);
  void fill(Block& block) const;
  /// Values of a path through a block's body from `first`, by setting of the last kernel. `parents`, if given: by further kernel and setting, the
  /// setting before.
  std::vector<double> body(const Block& block, std::size_t first, std::vector<std::vector<std::size_t>>* parents) const;
  /// Values of all paths whose first kernel is at `first`, by setting of the last kernel, the change back to the first included. `ways`, if given: by
  /// block after the first.
  std::vector<double> closed(std::size_t first, std::vector<Way>* ways) const;
  KernelPlan trace(std::size_t first) const;

  const KernelSet& set_;
  SwitchCost cost_;
  std::size_t settings_;
  double change_ = 0;                      ///< value of one change
  std::vector<std::vector<double>> call_;  ///< by kernel and setting: value of one call, infinite where there is no option
  std::vector<std::vector<std::int32_t>> option_;
  std::vector<Block> blocks_;
};

}  // namespace joulecast::policy
