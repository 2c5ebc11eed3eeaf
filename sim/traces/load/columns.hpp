#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/load/log.hpp"

namespace joulecast::traces {

/// A quantity of `EngineLoad`.
using LoadMember = std::vector<double> EngineLoad::*;

/// The quantity that a metric or column of this name holds: vLLM's names with or without "vllm:", old ones too, and short ones; nullptr for others.
LoadMember load_member(std::string_view name);

/// Gathers values in the order of time into an engine's samples: one sample a time, NaN for what a time lacks.
class EngineBuilder {
 public:
  void add(std::int64_t time_ns, LoadMember member, double value);
  /// Quantities that never came are empty. UserError: nothing came, times before others.
  EngineLoad finish(const std::string& label, LoadLog& log);

 private:
  std::vector<std::int64_t> times_;
  std::vector<std::vector<double>> values_;  ///< of each of `load_members` a value a time
};

/// All quantities, in one order.
const std::vector<LoadMember>& load_members();

}  // namespace joulecast::traces
