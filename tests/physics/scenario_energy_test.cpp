// What clocks, caps, load and idleness do to the energy of a whole scenario.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "report/summary.hpp"
#include "scenario/costs.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;
using scenario::Result;

namespace {

using Sets = std::vector<std::string>;

scenario::Scenario load(const std::string& text, Sets sets = {}) {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / ("joulecast-physics-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << text;
  struct Remove {
    fs::path path;
    ~Remove() { fs::remove(path); }
  } const remove{path};
  return scenario::load(path.string(), {std::move(sets), {}, "."});
}

Result run(const scenario::Scenario& scenario) { return scenario::simulate(scenario, {}); }

const std::string kIdle = R"(schema = 1
[time]
duration = "1234.5 s"
[site.here]
pue = 1.3
[cluster.a]
node = "dgx-h100"
nodes = 2
[pool.chat]
cluster = "a"
model = "meta-llama/Llama-3.1-8B"
tensor_parallel_size = 2
replicas = 5
)";

/// One replica of Llama-3.1-70B on 4 H100, Poisson arrivals, lengths of the Azure conversation trace.
const std::string kReplica = R"(schema = 1
[time]
duration = "30 min"
warmup = "2 min"
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-70B"
tensor_parallel_size = 4
replicas = 1
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "1 /s"
length_prediction = "mean"
)";

std::int64_t nanojoules(const metering::PoolAccount& pool, metering::State state) { return pool.state_nanojoules[static_cast<std::size_t>(state)]; }

/// Mean watts of the pool's GPUs together.
double pool_watts(const Result& result) { return result.energy.pools.front().joules[0] / result.energy.horizon_s; }

/// Mean watts a GPU while a step runs.
double step_watts(const Result& result) {
  double seconds = 0;
  for (const auto& spent : result.energy.pools.front().classes) seconds += spent.seconds;
  return 1e-9 * static_cast<double>(nanojoules(result.energy.pools.front(), metering::State::active)) / seconds /
         result.pools.front().tensor_parallel_size;
}

/// Watts a GPU of decode steps and of steps with a prompt chunk, over batches and contexts.
std::vector<double> watts_of_steps(const scenario::Scenario& scenario) {
  const scenario::Pool& pool = scenario.pools.front();
  const auto costs = scenario::pool_costs(scenario, pool);
  std::vector<double> watts;
  const auto add = [&](FixedEnergy joules, FixedTime seconds) { watts.push_back(joules.units() / seconds.units() / pool.tensor_parallel_size); };
  for (const int sequences : {1, 8, 64, 255}) {
    for (const std::int64_t context : {100, 1000, 4000}) {
      const std::int64_t sum = context * sequences;
      const serving::DecodeSegment& segment = costs->decode(serving::Phase::decode, sequences, sum);
      add(segment.base_joules + sum * segment.attention_joules_per_context, segment.base_seconds + sum * segment.attention_seconds_per_context);
      for (const std::int64_t chunk : {64, 1024, 7900}) {
        const serving::StepCost cost = costs->mixed(serving::Phase::prefill, std::vector<serving::Chunk>{{chunk, 0}}, sequences, sum);
        add(cost.total_joules(), cost.total_seconds());
      }
    }
  }
  return watts;
}

}  // namespace

TEST_CASE("An idle fleet draws its idle watts times the time, to the nanojoule") {
  const Result result = run(load(kIdle));
  constexpr std::int64_t kNanoseconds = 1'234'500'000'000;
  REQUIRE(result.horizon_s == 1234.5);
  REQUIRE(result.energy.pools.size() == 2);
  const metering::PoolAccount& pool = result.energy.pools[0];
  const metering::PoolAccount& unused = result.energy.pools[1];
  CHECK(pool.gpus == 10);
  CHECK(unused.gpus == 6);
  CHECK(result.no_pool_gpus == 6);
  CHECK(nanojoules(pool, metering::State::context_idle) == 10 * 122 * kNanoseconds);
  CHECK(nanojoules(pool, metering::State::bare_idle) == 0);
  CHECK(nanojoules(pool, metering::State::active) == 0);
  CHECK(nanojoules(unused, metering::State::bare_idle) == 6 * 70 * kNanoseconds);
  CHECK(nanojoules(unused, metering::State::context_idle) == 0);
  CHECK(result.pools[0].busy == 0);
  CHECK(result.energy.watts[0].front() == 10 * 122 + 6 * 70);
}

TEST_CASE("An idle fleet beyond its GPUs: host, fans and supplies by hand") {
  // Node 0 holds four replicas (8 x 122 W), node 1 one replica and six unused GPUs (2 x 122 + 6 x 70 W). DGX H100: host 1250 W; fans 1170 W at
  // 6850 W, 30 % of it always; supplies of 19.8 kW with 0.90 at a tenth of it, 0.94 at a fifth.
  const auto ac = [](double gpus) {
    const double load = (gpus + 1250) / 6850;
    const double dc = gpus + 1250 + 1170 * (0.3 + 0.7 * load * load * load);
    REQUIRE(dc / 19800 > 0.1);
    REQUIRE(dc / 19800 < 0.2);
    return dc / (0.90 + 0.04 * (dc / 19800 - 0.1) / 0.1);
  };
  const double chassis = 1234.5 * (ac(976) + ac(664));
  const Result result = run(load(kIdle));
  CHECK(result.energy.joules[1] == Approx(chassis).epsilon(1e-12));
  CHECK(result.energy.joules[2] == Approx(chassis).epsilon(1e-12));
  CHECK(result.energy.joules[3] == Approx(1.3 * chassis).epsilon(1e-12));
}

TEST_CASE("A fleet that nothing arrives at ends with its duration, drained or cut") {
  CHECK(run(load(kIdle, {"time.at_end='cut'"})).horizon_s == 1234.5);
  CHECK(run(load(kIdle, {"time.at_end='drain'"})).horizon_s == 1234.5);
}

TEST_CASE("A lock below the top clock lowers mean power and lengthens TPOT") {
  const Result top = run(load(kReplica));
  const Result locked = run(load(kReplica, {"pool.chat.sm_clock='1200 MHz'"}));
  CHECK(pool_watts(locked) < pool_watts(top));
  CHECK(step_watts(locked) < step_watts(top));
  CHECK(locked.traffics[0].tpot_s.mean > top.traffics[0].tpot_s.mean);
  // By phase: only decode steps are slower, so energy lies between.
  const Result by_phase = run(load(kReplica, {"pool.chat.sm_clock={prefill='1980 MHz',decode='1200 MHz'}"}));
  CHECK(pool_watts(by_phase) < pool_watts(top));
  CHECK(pool_watts(by_phase) > pool_watts(locked));
}

TEST_CASE("A cap above the draw of every step changes no byte of any figure") {
  const scenario::Scenario free = load(kReplica);
  const auto watts = watts_of_steps(free);
  const double most = *std::max_element(watts.begin(), watts.end());
  REQUIRE(most < 690);
  const std::string cap = std::to_string(static_cast<int>(std::ceil(most)) + 5);
  const Result capped = run(load(kReplica, {"pool.chat.gpu_power_limit='" + cap + " W'"}));
  const Result uncapped = run(free);
  CHECK(report::summary_json(capped) == report::summary_json(uncapped));
}

TEST_CASE("A cap below the draw holds the mean watts of every step, or the step is at the lowest clock, and steps take longer") {
  const Result free = run(load(kReplica));
  const std::vector<double> lowest = watts_of_steps(load(kReplica, {"pool.chat.sm_clock='345 MHz'"}));
  for (const int cap : {450, 400, 350, 300}) {
    CAPTURE(cap);
    const scenario::Scenario scenario = load(kReplica, {"pool.chat.gpu_power_limit='" + std::to_string(cap) + " W'"});
    const std::vector<double> watts = watts_of_steps(scenario);
    for (std::size_t i = 0; i < watts.size(); ++i) {
      CAPTURE(i, lowest[i]);
      if (watts[i] > cap * (1 + 1e-6)) CHECK(watts[i] == Approx(lowest[i]).epsilon(1e-3));
    }
    const Result capped = run(scenario);
    // What no clock brings down, memory and context, is up to 370 W a GPU here.
    if (cap >= 400) CHECK(step_watts(capped) <= cap * (1 + 1e-6));
    CHECK(capped.traffics[0].tpot_s.mean > free.traffics[0].tpot_s.mean);
    CHECK(step_watts(capped) < step_watts(free));
    CHECK(pool_watts(capped) < pool_watts(free));
  }
}

TEST_CASE("Power climbs with load from a high floor, and joules a token fall") {
  const auto at_rate = [](double rate, const std::string& duration) {
    return run(load(kReplica, {"traffic.chat.request_rate='" + std::to_string(rate) + " /s'", "time.duration='" + duration + "'"}));
  };
  // The highest rate at which the queue stays bounded: what a replica with a queue that never empties completes.
  const Result flooded = at_rate(20, "30 min");
  const double sustainable = static_cast<double>(flooded.traffics[0].completed) / flooded.horizon_s;
  struct Point {
    double watts, joules_a_token;
  };
  const auto point = [&](double load_share) {
    const Result result = at_rate(load_share * sustainable, load_share < 0.05 ? "8 h" : "2 h");
    CHECK(result.traffics[0].unfinished < 600);
    return Point{pool_watts(result), result.energy.pools[0].joules[0] / static_cast<double>(result.traffics[0].output_tokens)};
  };
  const Point p1 = point(0.01), p10 = point(0.1), p25 = point(0.25), p50 = point(0.5), p95 = point(0.95);
  CAPTURE(sustainable, p1.watts, p10.watts, p25.watts, p50.watts, p95.watts);
  CAPTURE(p1.joules_a_token, p10.joules_a_token, p25.joules_a_token, p50.joules_a_token, p95.joules_a_token);
  CHECK(p10.watts / p95.watts >= 0.55);
  CHECK(p10.watts / p95.watts <= 0.75);
  CHECK(p25.watts / p95.watts >= 0.68);
  CHECK(p25.watts / p95.watts <= 0.85);
  // Tokens arrive in proportion to load, so joules a token are watts over load.
  CHECK(p1.joules_a_token / p95.joules_a_token == Approx(95 * p1.watts / p95.watts).epsilon(0.05));
  CHECK(p1.watts < p10.watts);
  CHECK(p10.watts < p25.watts);
  CHECK(p25.watts < p50.watts);
  CHECK(p50.watts < p95.watts);
  CHECK(p1.joules_a_token > p10.joules_a_token);
  CHECK(p10.joules_a_token > p25.joules_a_token);
  CHECK(p25.joules_a_token > p50.joules_a_token);
  CHECK(p50.joules_a_token > p95.joules_a_token);
}
