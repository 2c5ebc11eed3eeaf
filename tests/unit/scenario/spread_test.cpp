#include "scenario/spread.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "serving/cost/pool_costs.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

constexpr double kJoules = 4.0e6, kSeconds = 900, kHorizon = 1000;

/// One replica on all 8 GPUs of a DGX H100 that did attention alone: `kJoules` in `kSeconds` of `kHorizon`. No figure has an error but attention's.
Scenario one_class() {
  Scenario scenario = load_text(kChat, {"pool.chat.tensor_parallel_size=8", "pool.chat.replicas=1"});
  Cluster& cluster = scenario.clusters.front();
  cluster.gpu.bottom_up_error.value = 0;
  cluster.gpu.idle.context.error.reset();
  cluster.node.host.error.reset();
  cluster.node.fans_peak.error.reset();
  return scenario;
}

metering::EnergyAccount account(const Scenario& scenario) {
  const auto& node = scenario.clusters.front().node;
  metering::EnergyAccount energy;
  energy.horizon_s = kHorizon;
  const double ac = node.overhead().chassis_ac(Watts(kJoules / kHorizon)).si() * kHorizon;
  energy.joules = {kJoules, ac, ac, ac * scenario.sites.front().pue};
  metering::PoolAccount pool;
  pool.name = "chat";
  pool.gpus = 8;
  pool.joules = energy.joules;
  pool.classes.push_back({"attention", Provenance::modelled, Provenance::modelled, kJoules, kSeconds});
  energy.pools.push_back(pool);
  return energy;
}

}  // namespace

TEST_CASE("One class: its watts move its joules, its seconds move them less what the GPUs would have drawn idle") {
  const Scenario scenario = one_class();
  const auto& cluster = scenario.clusters.front();
  const auto errors = serving::cost_errors(cluster.gpu);
  const auto attention = static_cast<std::size_t>(serving::Work::attention);
  const double watts = errors.watts[attention] * kJoules;
  const double seconds = errors.seconds[attention] * (kJoules - 8 * 122 * kSeconds);
  const double half = std::hypot(watts, seconds);
  const metering::EnergyAccount energy = account(scenario);
  const auto found = spread(scenario, energy);
  REQUIRE(found);
  CHECK(found->relative[0] == Approx(half / kJoules).epsilon(1e-12));
  const auto overhead = cluster.node.overhead();
  const double slope = (overhead.chassis_ac(Watts(4001)) - overhead.chassis_ac(Watts(4000))).si();
  CHECK(slope > 1);
  CHECK(found->relative[1] == Approx(slope * half / energy.joules[1]).epsilon(1e-9));
  CHECK(found->relative[3] == Approx(found->relative[1]).epsilon(1e-12));
  double shares = 0;
  for (const auto& [name, share] : found->sources) shares += share;
  CHECK(shares == Approx(1));
  CHECK(found->sources.front().second == Approx(std::max(watts, seconds) * std::max(watts, seconds) / (half * half)));
}

TEST_CASE("Where joules a token were found further off than the classes say, the classes are widened to that") {
  Scenario scenario = one_class();
  scenario.clusters.front().gpu.bottom_up_error.value = 0.6;
  CHECK(spread(scenario, account(scenario))->relative[0] == Approx(0.6).epsilon(1e-12));
}

TEST_CASE("Errors of the host's watts add in quadrature and leave the GPUs alone") {
  Scenario scenario = one_class();
  const auto energy = account(scenario);
  const auto without = *spread(scenario, energy);
  scenario.clusters.front().node.host.error = 0.5;
  const auto with = *spread(scenario, energy);
  const auto overhead = scenario.clusters.front().node.overhead();
  const double slope = (overhead.chassis_ac(Watts(4001)) - overhead.chassis_ac(Watts(4000))).si();
  const double host = 0.5 * 1250 * kHorizon * slope / energy.joules[1];
  CHECK(with.relative[0] == without.relative[0]);
  CHECK(with.relative[1] == Approx(std::hypot(without.relative[1], host)).epsilon(1e-9));
}

TEST_CASE("No stated error, no interval; no time, no interval") {
  Scenario scenario = one_class();
  metering::EnergyAccount energy = account(scenario);
  energy.pools.front().classes.clear();
  CHECK_FALSE(spread(scenario, energy));
  energy.horizon_s = 0;
  CHECK_FALSE(spread(one_class(), energy));
}
