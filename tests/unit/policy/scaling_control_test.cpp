// Policies that load and unload replicas.
#include <catch2/catch.hpp>
#include <vector>

#include "policy/control_registry.hpp"
#include "policy/scaling/loading.hpp"

using namespace joulecast;
using control::ReplicaState;
using Loaded = std::vector<bool>;

namespace {

const control::ScalingFacts kFacts{"chat", 4, 64, Watts(122), Watts(70)};

std::unique_ptr<control::Scaler> made(const char* name, const char* toml) {
  config::Diagnostics diagnostics;
  const config::Node node = config::parse_text(toml, "policy");
  auto scaler = policy::find_scaling_control(name)->make(&node, kFacts, diagnostics);
  diagnostics.throw_if_failed();
  return scaler;
}

Time at(std::int64_t seconds) { return Time{seconds * 1'000'000'000}; }

}  // namespace

TEST_CASE("loading pays back after load_time (P_load - P_bare)/(P_context - P_bare)") {
  CHECK(policy::break_even({Seconds(60), std::nullopt}, kFacts) == Span{60'000'000'000});
  CHECK(policy::break_even({Seconds(60), Watts(174)}, kFacts) == Span{120'000'000'000});
  CHECK(policy::break_even({Seconds(60), Watts(60)}, kFacts) == Span{0});
}

TEST_CASE("autoscale loads at once for what is outstanding, and unloads the highest numbers after the cooldown") {
  const auto scaler = made("autoscale", "load_time = \"60 s\"\ntarget = 10\ncooldown = \"30 s\"");
  std::vector<ReplicaState> replicas(4);
  Loaded loaded(4, true);
  scaler->decide(replicas, at(10), loaded);
  CHECK(loaded == Loaded(4, true));  // not before the cooldown
  scaler->decide(replicas, at(30), loaded);
  CHECK(loaded == Loaded{true, false, false, false});
  replicas[0].running = 21;
  scaler->decide(replicas, at(40), loaded);
  CHECK(loaded == Loaded{true, true, true, false});
  replicas[0].running = 5;
  scaler->decide(replicas, at(60), loaded);
  CHECK(loaded == Loaded{true, true, true, false});  // three were wanted 20 s ago
  scaler->decide(replicas, at(80), loaded);
  CHECK(loaded == Loaded{true, false, false, false});
}

TEST_CASE("sleep unloads what had nothing to do for long enough, and wakes one where all loaded ones have a queue") {
  const auto scaler = made("sleep", "load_time = \"60 s\"\nafter = \"20 s\"\nmin_replicas = 1");
  std::vector<ReplicaState> replicas(4);
  Loaded loaded(4, true);
  replicas[2].running = 1;
  scaler->decide(replicas, at(10), loaded);
  CHECK(loaded == Loaded(4, true));
  scaler->decide(replicas, at(20), loaded);
  CHECK(loaded == Loaded{true, false, true, false});
  replicas[0].waiting = replicas[2].waiting = 1;
  scaler->decide(replicas, at(21), loaded);
  CHECK(loaded == Loaded{true, true, true, false});
}

TEST_CASE("a request that waits for its replica to load wakes no other one") {
  const auto scaler = made("sleep", "load_time = \"60 s\"\nafter = \"20 s\"");
  std::vector<ReplicaState> replicas(4);
  for (ReplicaState& replica : replicas) replica.readiness = control::Readiness::unloaded;
  replicas[1].readiness = control::Readiness::loading;
  replicas[1].waiting = 1;
  replicas[1].requests_arrived = 1;
  Loaded loaded{false, true, false, false};
  scaler->decide(replicas, at(100), loaded);
  CHECK(loaded == Loaded{false, true, false, false});
  // Ready, and the queue still stands.
  replicas[1].readiness = control::Readiness::ready;
  scaler->decide(replicas, at(160), loaded);
  CHECK(loaded == Loaded{true, true, false, false});
}

TEST_CASE("load_time has no default") { CHECK_THROWS_WITH(made("sleep", ""), Catch::Contains("load_time")); }
