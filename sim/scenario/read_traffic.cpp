#include <fmt/format.h>

#include "scenario/run.hpp"
#include "scenario/statistics.hpp"

namespace joulecast::scenario {

TrafficResult Run::read_traffic(std::size_t index, Time end) const {
  const Traffic& traffic = scenario_.traffics[index];
  serving::LatencyHistogram inter_token;
  for (const std::size_t pool : traffic.pools) {
    for (const serving::Replica* replica : pools_[pool].replicas) inter_token.merge(replica->statistics().inter_token);
  }
  TrafficResult result = traffic_result(traffic, *traffics_[index].table, inter_token, warmup_, end);
  if (const auto& counts = traffics_[index].counts) {
    const auto note = [&](std::uint64_t rows, const char* what) {
      if (rows > 0) result.notes.push_back(fmt::format("{} {}", rows, what));
    };
    note(counts->dropped_zero_input, "rows without input tokens dropped");
    note(counts->dropped_zero_output, "rows without output tokens dropped");
    note(counts->inversions, "rows out of order, sorted");
    note(counts->torn_last_row ? 1 : 0, "torn last row dropped");
    if (!counts->origin.empty()) result.notes.push_back("time 0 of the run is the trace's " + counts->origin);
  }
  return result;
}

}  // namespace joulecast::scenario
