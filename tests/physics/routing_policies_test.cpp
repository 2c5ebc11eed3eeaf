// What routing by limits, by carbon and by a plan of the whole traffic does to runs, and what distance does to latencies.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;

namespace {

scenario::Result run(const std::string& file, std::vector<std::string> sets, bool keep_requests = false) {
  sets.emplace_back("time.warmup='0 s'");
  scenario::RunOptions options;
  options.keep_requests = keep_requests;
  return scenario::simulate(scenario::load("scenarios/" + file, {std::move(sets), {}, "."}), options);
}

double gpu_joules(const scenario::Result& result) { return result.energy.joules[static_cast<std::size_t>(metering::Boundary::gpu)]; }

/// The share of a traffic's requests on the first pool.
double share_of_first(const scenario::Result& result, std::size_t traffic) {
  const auto& table = *result.requests[traffic].second;
  double first = 0;
  for (std::uint32_t n = 0; n < table.size(); ++n) {
    REQUIRE(table[n].outcome.replica >= 0);
    first += result.pool_of_replica[static_cast<std::size_t>(table[n].outcome.replica)] == 0 ? 1 : 0;
  }
  return first / static_cast<double>(table.size());
}

}  // namespace

TEST_CASE("network latency adds itself to TTFT and E2E, and nothing to joules") {
  const std::vector<std::string> calm{"time.duration='30 s'", "time.at_end='drain'"};
  auto far = calm;
  far.emplace_back("site.here.network_latency='40 ms'");
  const scenario::Result near = run("quickstart.toml", calm), away = run("quickstart.toml", far);
  // Every request comes 40 ms later: the same steps, 40 ms later.
  CHECK(away.traffics[0].ttft_s.mean == Approx(near.traffics[0].ttft_s.mean + 0.040).epsilon(1e-6));
  CHECK(away.traffics[0].e2e_s.p99 == Approx(near.traffics[0].e2e_s.p99 + 0.040).epsilon(1e-6));
  CHECK(away.traffics[0].tpot_s.mean == Approx(near.traffics[0].tpot_s.mean).epsilon(1e-6));
  CHECK(away.energy.state_nanojoules[static_cast<int>(metering::State::active)] ==
        near.energy.state_nanojoules[static_cast<int>(metering::State::active)]);
}

TEST_CASE("carbon_aware emits less than an even spread of the same requests, and keeps within its bound on distance") {
  const std::vector<std::string> short_run{"time.duration='4 min'"};
  auto even = short_run;
  even.emplace_back("router.pool='round_robin'");
  auto close = short_run;
  close.emplace_back("policy.green.max_network_latency='10 ms'");
  const scenario::Result green = run("carbon-two-sites.toml", short_run), spread = run("carbon-two-sites.toml", even);
  CHECK(*green.carbon_grams < *spread.carbon_grams);
  const scenario::Result near = run("carbon-two-sites.toml", close);
  CHECK(near.pools[0].completed > 0);
  CHECK(near.pools[1].completed == 0);
}

TEST_CASE("slo_energy takes fewer joules than the least loaded pool does, within the limits") {
  const std::vector<std::string> short_run{"time.duration='3 min'"};
  auto loaded = short_run;
  loaded.emplace_back("router.pool='least_outstanding'");
  const scenario::Result least = run("slo-energy.toml", short_run), even = run("slo-energy.toml", loaded);
  CHECK(gpu_joules(least) < gpu_joules(even));
  REQUIRE(least.traffics[0].slo_attainment);
  CHECK(*least.traffics[0].slo_attainment > 0.99);
}

TEST_CASE("a plan of the whole traffic keeps its shares over a run, and believes in fewer joules than the online policy with the same shares") {
  const std::vector<std::string> base{"time.duration='2 min'", "time.at_end='drain'", "policy.optimal.shares={large={exactly='40 %'}}",
                                      "policy.optimal.zeta=1"};
  const scenario::Result planned = run("energy-optimal.toml", base, true);
  const auto requests = static_cast<double>(planned.requests[0].second->size());
  CHECK(std::abs(share_of_first(planned, 0) - 0.4) <= 1 / requests + 1e-12);
  const auto believed = [](const scenario::Result& result) {
    double joules = 0;
    for (const double each : result.believed_joules[0]) joules += std::isnan(each) ? 0 : each;
    return joules;
  };
  auto online = base;
  online.insert(online.end(), {"router.pool='ea'", "policy.ea.zeta=1", "policy.ea.queue_weight=0", "policy.ea.share_slack=1",
                               "policy.ea.shares={large={exactly='40 %'}}"});
  CHECK(believed(planned) < believed(run("energy-optimal.toml", online, true)));
}
