#include <array>
#include <utility>

#include "scenario/run.hpp"
#include "scenario/traffic_lengths.hpp"
#include "traces/requests/generate.hpp"
#include "traces/requests/open.hpp"
#include "traces/requests/scaled.hpp"

namespace joulecast::scenario {

std::unique_ptr<traces::RequestStream> Run::stream(const Traffic& traffic, std::shared_ptr<traces::ReadCounts>& counts) const {
  std::unique_ptr<traces::RequestStream> stream;
  const std::string name = "traffic/" + traffic.name;
  if (traffic.trace) {
    counts = std::make_shared<traces::ReadCounts>();
    stream = traces::open_trace(*traffic.trace, counts, {traffic.rate, scenario_.seed, name, traffic.resample});
  } else {
    stream = traces::generate(traffic.arrivals, lengths_of(traffic), traffic.num_requests, scenario_.seed, name);
  }
  if (traffic.prefix_hit_rate > 0 && stream->prefixes() == nullptr) stream = traces::with_cached(std::move(stream), traffic.prefix_hit_rate);
  if (!scenario_.duration) return stream;
  return traces::until(std::move(stream), Time{span_from_seconds(scenario_.duration->si()).ns});
}

std::optional<serving::ClosedLoop> Run::closed_loop(const Traffic& traffic) const {
  if (traffic.trace || traffic.arrivals.process != traces::Arrivals::Process::closed) return std::nullopt;
  serving::ClosedLoop loop{traffic.arrivals.max_concurrency, span_from_seconds(traffic.arrivals.think_time.si())};
  if (scenario_.duration) loop.end = Time{span_from_seconds(scenario_.duration->si()).ns};
  return loop;
}

/// Has every replica that may serve a closed traffic tell its source of completions. A think time below 20 us puts source, router and replicas into
/// one cell; a longer one leaves them apart.
void Run::close_loops() {
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    const Traffic& traffic = scenario_.traffics[t];
    const auto loop = closed_loop(traffic);
    if (!loop) continue;
    std::vector<std::size_t> completing = traffic.decode_pools;
    for (const std::size_t p : traffic.pools) {
      if (scenario_.pools[p].engine.kv_role != serving::KvRole::producer) completing.push_back(p);
    }
    for (const std::size_t p : completing) {
      for (std::size_t r = 0; r < pools_[p].ids.size(); ++r) {
        const engine::Port port = simulation_.connect(pools_[p].ids[r], std::array{sources_[t]}, loop->delay());
        pools_[p].replicas[r]->tell(static_cast<std::uint32_t>(t), port, sources_[t]);
      }
    }
  }
}

}  // namespace joulecast::scenario
