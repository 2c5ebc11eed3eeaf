#pragma once

#include <cstdint>

#include "hardware/gpu.hpp"
#include "serving/cost/operation_times.hpp"

namespace joulecast::serving {

/// All-reduces of a step among a replica's GPUs: from the operation table of so many GPUs, whose ends the profile's form carries on, else from the
/// form alone.
class AllReduceCosts {
 public:
  /// `tables` may be null. Both must outlive this. Throws UserError where the profile has neither for so many GPUs; one GPU needs none.
  AllReduceCosts(const hardware::GpuProfile& gpu, int gpus, const hardware::OperationTables* tables);

  /// `count` all-reduces of `bytes` each in a step of `tokens`: all of them as one operation. Steps above the largest CUDA graph use the eager curve.
  OperationTime of(std::int64_t tokens, std::int64_t count, std::int64_t bytes) const;
  Provenance provenance() const;

 private:
  double one(std::int64_t tokens, double bytes) const;

  const hardware::OperationTables::AllReduce* table_ = nullptr;
  const hardware::AllReduceForm* form_ = nullptr;
  double core_share_;
};

}  // namespace joulecast::serving
