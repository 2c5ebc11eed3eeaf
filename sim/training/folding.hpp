#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace joulecast::training {

/// Data-parallel replicas of a pipeline that do exactly the same, `multiplicity` of them, run as one.
struct ReplicaClass {
  std::int32_t first = 0;              ///< the lowest number of its replicas
  std::vector<std::int32_t> replicas;  ///< all of them, rising
  std::vector<double> slowdown;        ///< by stage: time over that of a sound GPU
  std::size_t plan = 0;                ///< which of the job's plans it runs

  std::int64_t multiplicity() const { return static_cast<std::int64_t>(replicas.size()); }
  bool sound() const;
};

/// Classes of replicas with equal `slowdown` ([replica][stage]), in the order of their first; each replica is its own where `unfold`.
std::vector<ReplicaClass> fold(const std::vector<std::vector<double>>& slowdown, bool unfold);

}  // namespace joulecast::training
