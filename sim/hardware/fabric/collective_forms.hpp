#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hardware/fabric/collective_times.hpp"
#include "hardware/figure.hpp"

namespace joulecast::hardware {

constexpr std::string_view name(Collective collective) {
  constexpr std::string_view names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send"};
  return names[static_cast<int>(collective)];
}
inline constexpr int kCollectives = 6;

/// Time of a collective among `gpus` GPUs of one node, `alpha + root*sqrt(bytes) + bytes/beta` (root in s/sqrt(byte)), bytes counted as
/// CollectiveTimes does: `[collectives.NAME.GPUS]` of a GPU profile.
struct CollectiveForm {
  Collective collective = Collective::all_gather;
  std::int64_t gpus = 0;
  Figure<Seconds> alpha;
  Figure<double> root;
  Figure<BytesPerSecond> beta;
};

/// Reads `[collectives.NAME.GPUS]` tables and reports every fault; all_reduce has a table of its own.
void read_collective_forms(std::vector<CollectiveForm>& forms, const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace joulecast::hardware
