// What limits, locks and switches do: the laws that controllers act by.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "physics/hardware_shipped.hpp"
#include "report/summary.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"
#include "serving/clock_switch.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

scenario::Result run(const std::string& text, std::vector<std::string> sets = {}) {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / ("joulecast-control-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << text;
  struct Remove {
    fs::path path;
    ~Remove() { fs::remove(path); }
  } const remove{path};
  scenario::LoadOptions options;
  options.sets = std::move(sets);
  options.share_dir = ".";
  return scenario::simulate(scenario::load(path.string(), options), {});
}

const std::string kRow = R"(schema = 1
name = "row"
[time]
duration = "3 min"
[site.here]
pue = 1.25
[feed.row]
rating = "12 kW"
window = "1 min"
[cluster.a]
feed = "row"
node = "dgx-h100"
nodes = 1
[pool.chat]
cluster = "a"
model = "meta-llama/Llama-3.1-70B-Instruct"
tensor_parallel_size = 4
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "4 /s"
slo = { ttft = "2 s", tpot = "80 ms" }
[policy.locked]
use = "phase_lock"
prefill = "1980 MHz"
decode = "1200 MHz"
)";

/// The summary without its notes, and the joules: what a policy that does nothing must leave alone.
std::string figures(const scenario::Result& result) {
  scenario::Result copy = result;
  copy.notes.clear();
  return report::summary_json(copy);
}

double tpot(const scenario::Result& result) { return result.traffics[0].tpot_s.mean; }
double gpu_joules(const scenario::Result& result) { return result.energy.joules[0]; }

}  // namespace

TEST_CASE("under a cap a step draws the cap within 1 W, down to the lowest clock, at any point of a decode segment") {
  const H100Chat chat;
  for (const double cap : {520.0, 450.0, 400.0, 350.0, 300.0, 260.0}) {
    OperatingPoint point = default_point(chat.gpu);
    point.cap = Watts(cap);
    const auto capped = chat.at(point), free = chat.at(default_point(chat.gpu)), lowest = chat.locked(chat.gpu.clocks.lowest.value);
    for (const int n : {1, 16, 64, 200}) {
      for (const std::int64_t context : {200, 700, 1900, 2100, 6000}) {
        CAPTURE(cap, n, context);
        const double drawn = decode_step(*free, 4, n, context).watts;
        const double least = decode_step(*lowest, 4, n, context).watts;
        const double now = decode_step(*capped, 4, n, context).watts;
        if (drawn > cap + 20 && least < cap - 20) CHECK(now == Approx(cap).margin(1));
        if (drawn < cap - 20) CHECK(now == drawn);
        if (least > cap + 20) CHECK(now == Approx(least).epsilon(1e-6));
      }
    }
    const std::vector<Chunk> prompt{{2048, 512}};
    const auto watts = [&](const StepCosts& costs) {
      const StepCost step = costs.mixed(Phase::prefill, prompt, 32, 32 * 700);
      return step.total_joules().units() / step.total_seconds().units() / 4;
    };
    if (watts(*free) > cap && watts(*lowest) < cap) CHECK(watts(*capped) == Approx(cap).margin(1e-6));
  }
}

TEST_CASE("a cap below the draw of some contexts alone leaves the others as they are, and draws the cap from where it begins to act") {
  const H100Chat chat;
  const auto free = chat.at(default_point(chat.gpu)), lowest = chat.locked(chat.gpu.clocks.lowest.value);
  constexpr std::int64_t kLongest = 8192;
  int untouched = 0, held = 0, broken = 0;
  for (const int n : {1, 16, 64, 200}) {
    // Caps that are crossed within a segment: the watts in the middle of one, free and at the lowest clock.
    for (const StepCosts* costs : {static_cast<const StepCosts*>(free.get()), static_cast<const StepCosts*>(lowest.get())}) {
      for (const std::int64_t mean : {300, 900, 2500, 6000, 12000}) {
        const DecodeSegment& segment = costs->decode(Phase::decode, n, n * mean);
        const std::int64_t from = segment.context_from / n, to = std::min(segment.context_to / n, from + kLongest);  // the last has no end
        OperatingPoint point = default_point(chat.gpu);
        const double cap = decode_step(*costs, 4, n, from + (to - from) / 3).watts;
        point.cap = Watts(cap);
        const auto capped = chat.at(point);
        for (std::int64_t context = from; context < to; context += std::max<std::int64_t>(1, (to - from) / 40)) {
          const Step drawn = decode_step(*free, 4, n, context), least = decode_step(*lowest, 4, n, context),
                     now = decode_step(*capped, 4, n, context);
          CAPTURE(n, cap, context, drawn.watts, least.watts, now.watts);
          if (drawn.watts < cap - 1e-3) {
            CHECK(now.watts == drawn.watts);
            CHECK(now.seconds == drawn.seconds);
            ++untouched;
          } else if (least.watts <= cap) {
            CHECK(now.watts == Approx(std::min(cap, drawn.watts)).margin(1));
            CHECK(now.watts <= cap + 1e-2);
            ++held;
          } else {
            CHECK(now.watts == Approx(least.watts).epsilon(1e-4));
            ++broken;
          }
        }
      }
    }
  }
  CHECK(untouched > 100);
  CHECK(held > 100);
  CHECK(broken > 100);
}

TEST_CASE("a brake reaches the GPUs its latency after it was decided, whoever else controls and however odd the latency") {
  // The row draws more than its feed may carry from the first reading on.
  const auto braking = [](std::vector<std::string> sets) {
    sets.insert(sets.end(), {"time.duration=\"30 s\"", "feed.row.rating=\"4 kW\"", "feed.row.policy=\"polca\""});
    return run(kRow, sets);
  };
  const std::string five = "policy.polca={use=\"row_cap\"}", six = "policy.polca={use=\"row_cap\",brake_latency=\"6 s\"}",
                    odd = "policy.polca={use=\"row_cap\",latency=\"1000001 us\",brake_latency=\"5000001 us\"}";
  const auto alone = braking({five});
  CHECK(alone.feeds[0].load.mean <
        0.95 * braking({"policy.polca={use=\"row_cap\",brake=10,second_threshold=10,first_threshold=10}"}).feeds[0].load.mean);
  CHECK(figures(alone) != figures(braking({six})));
  CHECK(figures(braking({five, "site.here.power_policy=\"wide\"", "policy.wide={use=\"budget\",watts=\"90 kW\",period=\"1 s\"}"})) == figures(alone));
  const auto braked = braking({odd});
  CHECK(braked.windows < 2 * alone.windows);
  CHECK(braked.feeds[0].load.mean == Approx(alone.feeds[0].load.mean).epsilon(1e-3));
}

TEST_CASE("a row's policy that never has to act changes no figure; neither does a budget above all that can be drawn") {
  const auto free = run(kRow);
  CHECK(figures(run(kRow, {"feed.row.policy=\"row_cap\""})) == figures(free));
  CHECK(figures(run(kRow, {"site.here.power_policy=\"wide\"", "policy.wide={use=\"budget\",watts=\"12 kW\"}"})) == figures(free));
}

TEST_CASE("a budget below the draw is held, at the price of time") {
  const auto free = run(kRow);
  const double drawn = free.feeds[0].load.mean;
  const auto held = run(kRow, {"site.here.power_policy=\"tight\"", "policy.tight={use=\"budget\",watts=\"5.4 kW\"}"});
  REQUIRE(drawn > 5600);
  CHECK(held.feeds[0].load.mean < 5400);
  CHECK(tpot(held) > 1.02 * tpot(free));
}

TEST_CASE("a lower lock on decode saves joules and costs little time; the saving is as well known as the clock curve") {
  const auto free = run(kRow), locked = run(kRow, {"pool.chat.sm_clock=\"locked\""});
  CHECK(locked.pools[0].clock == "1980 MHz prefill, 1200 MHz decode");
  CHECK(gpu_joules(locked) < 0.95 * gpu_joules(free));
  CHECK(tpot(locked) > tpot(free));
  CHECK(tpot(locked) < 1.3 * tpot(free));
  CHECK(locked.pools[0].watts_source == "modelled");
}

TEST_CASE("switching costs time: with a slow switch a mixed step still runs at the decode clock") {
  // The H100's 6 ms are nearly a decode step; V100-like latencies of 150 ms would miss most prompts.
  const H100Chat chat;
  OperatingPoint point = default_point(chat.gpu);
  point.decode_clock = Hertz(900e6);
  const auto costs = chat.at(point);
  ClockSwitch<Phase> slow(Span{150'000'000}, Phase::decode), none(Span{0}, Phase::decode);
  const std::vector<Chunk> prompt{{2048, 0}};
  const FixedTime start = to_fixed(Time{1'000'000});
  const FixedTime at_once = costs->mixed(none.at_start(Phase::prefill, start), prompt, 0, 0).total_seconds();
  const FixedTime late = costs->mixed(slow.at_start(Phase::prefill, start), prompt, 0, 0).total_seconds();
  CHECK(late.units() > 1.5 * at_once.units());
}

TEST_CASE("a model without requests is unloaded: bare idle instead of context idle, after the break-even, and a request pays the load time") {
  const std::string rare = R"(schema = 1
name = "rare"
[time]
duration = "2 h"
[site.here]
pue = 1.25
[pool.rare]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 1
[traffic.rare]
requests = "azure-2023-conv"
request_rate = "0.001 /s"
[policy.doze]
use = "sleep"
load_time = "60 s"
)";
  const auto awake = run(rare), asleep = run(rare, {"pool.rare.scaling=\"doze\""});
  REQUIRE(awake.traffics[0].arrived >= 3);
  CHECK(asleep.traffics[0].completed == awake.traffics[0].completed);
  CHECK(asleep.energy.pools[0].joules[0] < awake.energy.pools[0].joules[0]);
  // All but the first come to an unloaded replica, or while it loads.
  CHECK(asleep.traffics[0].ttft_s.p50 > 59);
  CHECK(awake.traffics[0].ttft_s.p50 < 1);
}
