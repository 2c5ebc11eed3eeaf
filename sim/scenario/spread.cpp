#include "scenario/spread.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "scenario/placement.hpp"
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

/// The errors of a class of work, by the name that the account gives it.
std::size_t work_of(const metering::ClassAccount& spent) {
  for (int w = 0; w < serving::kWorks; ++w) {
    if (serving::name(static_cast<serving::Work>(w)) == spent.name) return static_cast<std::size_t>(w);
  }
  JOULECAST_BUG("the ledger has a class that serving does not know: " + spent.name);
}

/// Joules by which the errors that the profile states of each class's watts and seconds move the pool's GPUs.
std::vector<std::pair<std::string, double>> active_moves(const GpuProfile& gpu, const Pool& pool, const metering::PoolAccount& account) {
  const double idle_watts = gpu.idle.context.value.si() * pool.gpus_per_replica();
  const serving::CostErrors errors = serving::cost_errors(gpu);
  std::vector<std::pair<std::string, double>> moves;
  for (const metering::ClassAccount& spent : account.classes) {
    const std::size_t work = work_of(spent);
    moves.emplace_back(spent.name + " watts", errors.watts[work] * spent.joules);
    moves.emplace_back(spent.name + " time", errors.seconds[work] * (spent.joules - idle_watts * spent.seconds));
  }
  return moves;
}

void add_pool(const Scenario& scenario, const metering::PoolAccount& account, const Pool& pool, double horizon, Moves& moves) {
  const Cluster& cluster = scenario.clusters[pool.cluster];
  const GpuProfile& gpu = cluster.gpu;
  const double node_share = static_cast<double>(account.gpus) / cluster.node.gpus;
  const double gpu_watts = account.joules[0] / horizon / node_share;
  const auto overhead = cluster.node.overhead();
  const double slope = (overhead.chassis_ac(Watts(gpu_watts + 1)) - overhead.chassis_ac(Watts(gpu_watts))).si();
  const double widen = widening(scenario, pool, account);
  for (const auto& [figure, joules] : active_moves(gpu, pool, account)) moves.add(gpu.name + " " + figure, {widen * joules, widen * joules * slope});
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

/// Operations of a job are known as well as work from operations is on its GPU (measured stages too: nobody states their error); its waits as well as the
/// profile's spin-wait.
void add_job(const Scenario& scenario, const metering::PoolAccount& account, const TrainingJob& job, double horizon, Moves& moves) {
  const Cluster& cluster = scenario.clusters[job.cluster];
  const double nodes = static_cast<double>(account.gpus) / cluster.node.gpus;
  const double gpu_watts = account.joules[0] / horizon / nodes;
  const auto overhead = cluster.node.overhead();
  const double slope = (overhead.chassis_ac(Watts(gpu_watts + 1)) - overhead.chassis_ac(Watts(gpu_watts))).si();
  const auto add = [&](const std::string& figure, metering::State state, double error) {
    const double joules = error * 1e-9 * static_cast<double>(account.state_nanojoules[static_cast<std::size_t>(state)]);
    moves.add(figure, {joules, joules * slope});
  };
  const GpuProfile& gpu = cluster.gpu;
  add(gpu.name + " training energy", metering::State::active, gpu.bottom_up_error.value);
  add(gpu.name + " spin-wait watts", metering::State::spin_wait, gpu.idle.spin_wait.error.value_or(0));
  add(gpu.name + " bare idle watts", metering::State::bare_idle, gpu.idle.bare.error.value_or(0));
  const double at_nodes = nodes * horizon * slope;
  moves.add(cluster.node.name + " host watts", {0, cluster.node.host.error.value_or(0) * cluster.node.host.value.si() * at_nodes});
  moves.add(cluster.node.name + " fan watts", {0, cluster.node.fans_peak.error.value_or(0) * cluster.node.fans_peak.value.si() * at_nodes});
}

/// GPUs without a pool: their bare idle watts, and their share of what their nodes draw beside GPUs.
void add_unused(const Scenario& scenario, double horizon, Moves& moves) {
  const Placement placement = place(scenario);
  for (std::size_t c = 0; c < scenario.clusters.size(); ++c) {
    const Cluster& cluster = scenario.clusters[c];
    double unused = 0;
    for (const int gpus : placement.unused_gpus[c]) unused += gpus;
    const auto overhead = cluster.node.overhead();
    const double node_watts = cluster.gpu.idle.bare.value.si() * cluster.node.gpus;
    const double slope = (overhead.chassis_ac(Watts(node_watts + 1)) - overhead.chassis_ac(Watts(node_watts))).si();
    const auto add = [&](const std::string& figure, const hardware::Figure<Watts>& watts, double count, double at_gpu) {
      const double joules = watts.error.value_or(0) * watts.value.si() * count * horizon;
      moves.add(figure, {at_gpu * joules, slope * joules});
    };
    if (unused == 0) continue;
    add(cluster.gpu.name + " bare idle watts", cluster.gpu.idle.bare, unused, 1);
    add(cluster.node.name + " host watts", cluster.node.host, unused / cluster.node.gpus, 0);
    add(cluster.node.name + " fan watts", cluster.node.fans_peak, unused / cluster.node.gpus, 0);
  }
}

/// Behind the PUE; where sites differ in it, that of the energy's mean.
double facility_variance(const Scenario& scenario, const metering::EnergyAccount& energy, double ac) {
  double pue = scenario.sites.front().pue;
  const bool several = std::any_of(scenario.sites.begin(), scenario.sites.end(), [&](const Site& site) { return site.pue != pue; });
  const double it = energy.joules[static_cast<std::size_t>(metering::Boundary::it)];
  if (several && it > 0) pue = energy.joules[static_cast<std::size_t>(metering::Boundary::facility)] / it;
  return ac * pue * pue;
}

}  // namespace

double widening(const Scenario& scenario, const Pool& pool, const metering::PoolAccount& account) {
  const GpuProfile& gpu = scenario.clusters[pool.cluster].gpu;
  double active = 0, variance = 0;
  for (const metering::ClassAccount& spent : account.classes) active += spent.joules;
  for (const auto& [figure, joules] : active_moves(gpu, pool, account)) variance += joules * joules;
  return variance > 0 ? std::max(1.0, serving::bottom_up_error(gpu, pool.model) * active / std::sqrt(variance)) : 1;
}

std::optional<Spread> spread(const Scenario& scenario, const metering::EnergyAccount& energy) {
  if (!(energy.horizon_s > 0)) return std::nullopt;
  Moves moves;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) add_pool(scenario, energy.pools[i], scenario.pools[i], energy.horizon_s, moves);
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    add_job(scenario, energy.pools[scenario.pools.size() + j], scenario.jobs[j], energy.horizon_s, moves);
  }
  add_unused(scenario, energy.horizon_s, moves);
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
  relative(metering::Boundary::facility, facility_variance(scenario, energy, ac));
  for (const auto& [figure, move] : moves.all()) result.sources.emplace_back(figure, move.ac * move.ac / ac);
  std::stable_sort(result.sources.begin(), result.sources.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

}  // namespace joulecast::scenario
