#include <fmt/format.h>

#include "scenario/overload.hpp"
#include "scenario/run.hpp"
#include "scenario/statistics.hpp"

namespace joulecast::scenario {

namespace {

void trace_notes(const traces::ReadCounts& counts, std::vector<std::string>& notes) {
  const auto note = [&](std::uint64_t rows, const char* what) {
    if (rows > 0) notes.push_back(fmt::format("{} {}", rows, what));
  };
  note(counts.dropped_zero_input, "rows without input tokens dropped");
  note(counts.dropped_zero_output, "rows without output tokens dropped");
  note(counts.kept_zero_input, "rows without input tokens taken for 1 token");
  note(counts.kept_zero_output, "rows without output tokens taken for 1 token");
  note(counts.inversions, "rows out of order, sorted");
  note(counts.torn_last_row ? 1 : 0, "torn last row dropped");
  if (!counts.origin.empty()) notes.push_back("time 0 of the run is the trace's " + counts.origin);
  if (counts.conversations > 0) notes.push_back(fmt::format("the trace has {} conversations", counts.conversations));
}

/// What the run took prompts to share: the trace's own structure, or a share that the scenario states.
void prefix_notes(const Traffic& traffic, const traces::ReadCounts* counts, std::vector<std::string>& notes) {
  const bool structured = counts != nullptr && counts->block_tokens > 0;
  if (structured) {
    notes.push_back(
        fmt::format("the trace says which prompts share what: {} different blocks of {} tokens", counts->prefix_blocks, counts->block_tokens));
    if (traffic.prefix_hit_rate > 0) notes.push_back("prefix_hit_rate is ignored, the trace says which prompts share what");
  } else if (counts != nullptr || traffic.prefix_hit_rate > 0) {
    notes.push_back(fmt::format("prefix_hit_rate: {:.6g} % of prompt tokens are taken as found in a prefix cache", 100 * traffic.prefix_hit_rate));
  }
}

}  // namespace

TrafficResult Run::read_traffic(std::size_t index, Time end) const {
  const Traffic& traffic = scenario_.traffics[index];
  serving::LatencyHistogram inter_token;
  for (const auto& pools : {traffic.pools, traffic.decode_pools}) {
    for (const std::size_t pool : pools) {
      for (const serving::Replica* replica : pools_[pool].replicas) inter_token.merge(replica->statistics().inter_token[index]);
    }
  }
  TrafficResult result = traffic_result(traffic, *traffics_[index].table, inter_token, warmup_, end);
  if (const auto& counts = traffics_[index].counts) trace_notes(*counts, result.notes);
  prefix_notes(traffic, traffics_[index].counts.get(), result.notes);
  result.overload = find_overload(*traffics_[index].table, warmup_, end);
  if (result.overload) result.notes.push_back(overload_note(*result.overload));
  return result;
}

}  // namespace joulecast::scenario
