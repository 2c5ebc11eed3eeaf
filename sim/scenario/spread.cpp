#include "scenario/spread.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "serving/cost/pool_costs.hpp"

namespace joulecast::scenario {

namespace {

using hardware::GpuProfile;

/// Joules by which one stated error moves the total, before and behind the power supplies.
struct Move {
  double gpu = 0, ac = 0;
};

class Moves {
 public:
  /// A figure of one profile moves all its pools together.
  void add(const std::string& figure, Move move) {
    moves_[figure].gpu += move.gpu;
    moves_[figure].ac += move.ac;
  }
  const std::map<std::string, Move>& all() const { return moves_; }

 private:
  std::map<std::string, Move> moves_;
};

void add_pool(const Scenario& scenario, const metering::PoolAccount& account, const Pool& pool, double horizon, Moves& moves) {
  const Cluster& cluster = scenario.clusters[pool.cluster];
  const GpuProfile& gpu = cluster.gpu;
  const double node_share = static_cast<double>(account.gpus) / cluster.node.gpus;
  const double gpu_watts = account.joules[0] / horizon / std::max(node_share, 1e-9);
  const auto overhead = cluster.node.overhead();
  const double slope = (overhead.chassis_ac(Watts(gpu_watts + 1)) - overhead.chassis_ac(Watts(gpu_watts))).si();
  const double idle_watts = gpu.idle.context.value.si() * pool.tensor_parallel_size;
  const serving::CostErrors errors = serving::cost_errors(gpu);
  for (int w = 0; w < serving::kWorks; ++w) {
    const auto i = static_cast<std::size_t>(w);
    const auto& spent = account.classes[i];
    const std::string of = gpu.name + " " + spent.name;
    const double by_watts = errors.watts[i] * spent.joules;
    const double by_time = errors.seconds[i] * (spent.joules - idle_watts * spent.seconds);
    moves.add(of + " watts", {by_watts, by_watts * slope});
    moves.add(of + " time", {by_time, by_time * slope});
  }
  if (const auto& error = gpu.idle.context.error) {
    const double joules = *error * 1e-9 * static_cast<double>(account.state_nanojoules[static_cast<int>(metering::State::context_idle)]);
    moves.add(gpu.name + " idle watts", {joules, joules * slope});
  }
  const auto figure = [&](const char* name, const hardware::Figure<Watts>& watts) {
    if (watts.error) moves.add(cluster.node.name + name, {0, *watts.error * watts.value.si() * node_share * horizon * slope});
  };
  figure(" host watts", cluster.node.host);
  figure(" fan watts", cluster.node.fans_peak);
}

}  // namespace

std::optional<Spread> spread(const Scenario& scenario, const metering::EnergyAccount& energy) {
  if (!(energy.horizon_s > 0)) return std::nullopt;
  Moves moves;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) add_pool(scenario, energy.pools[i], scenario.pools[i], energy.horizon_s, moves);
  double gpu = 0, ac = 0;
  for (const auto& [figure, move] : moves.all()) {
    gpu += move.gpu * move.gpu;
    ac += move.ac * move.ac;
  }
  if (ac == 0) return std::nullopt;
  Spread result;
  const auto relative = [&](metering::Boundary boundary, double variance) {
    const auto b = static_cast<std::size_t>(boundary);
    result.relative[b] = energy.joules[b] > 0 ? std::sqrt(variance) / energy.joules[b] : 0;
  };
  relative(metering::Boundary::gpu, gpu);
  relative(metering::Boundary::chassis_ac, ac);
  relative(metering::Boundary::it, ac);
  relative(metering::Boundary::facility, ac * scenario.site.pue * scenario.site.pue);
  for (const auto& [figure, move] : moves.all()) result.sources.emplace_back(figure, move.ac * move.ac / ac);
  std::stable_sort(result.sources.begin(), result.sources.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

}  // namespace joulecast::scenario
