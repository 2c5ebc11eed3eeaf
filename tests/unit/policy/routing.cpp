#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "policy/registry.hpp"
#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;

namespace {

const serving::RoutedRequest kRequest = asks(1);

std::unique_ptr<serving::ReplicaRouter> make(const char* name) {
  config::Diagnostics diagnostics;
  return find_replica_policy(name)->make(nullptr, diagnostics);
}

}  // namespace

TEST_CASE("round_robin takes the replicas in turn") {
  const auto views = loads({{9, 9}, {0, 0}, {5, 5}});
  Stream random(1, "router", "routing");
  const auto router = make("round_robin");
  for (std::size_t i = 0; i < 7; ++i) REQUIRE(router->choose(kRequest, views, Time{0}, random) == i % 3);
}

TEST_CASE("least_outstanding counts waiting and running, and takes the lowest index among equals") {
  Stream random(1, "router", "routing");
  const auto router = make("least_outstanding");
  REQUIRE(router->choose(kRequest, loads({{3, 0}, {0, 2}, {1, 1}}), Time{0}, random) == 1);
  REQUIRE(router->choose(kRequest, loads({{3, 0}, {1, 0}, {0, 0}, {0, 0}}), Time{0}, random) == 2);
  REQUIRE(router->choose(kRequest, loads({{0, 4}}), Time{0}, random) == 0);
}

TEST_CASE("power_of_two takes position i of n in order of load with probability 2 (n - 1 - i) / (n (n - 1))") {
  // Of n = 4 distinct loads the least loaded is taken whenever it is drawn, 6 of 12 ordered pairs, the next in 4, then 2, the last never.
  const auto views = loads({{30, 0}, {0, 10}, {20, 20}, {10, 10}});  // in order of load: 1, 3, 0, 2
  Stream random(1, "router", "routing");
  const auto router = make("power_of_two");
  std::vector<double> taken(4);
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) taken[router->choose(kRequest, views, Time{0}, random)] += 1.0 / draws;
  const std::vector<double> expected = {2.0 / 12, 6.0 / 12, 0, 4.0 / 12};
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(std::abs(taken[i] - expected[i]) < 5 * std::sqrt(0.25 / draws));
  REQUIRE(taken[2] == 0);
}

TEST_CASE("power_of_two takes the lower index if both have the same number, and the only one if there is one") {
  Stream random(1, "router", "routing");
  const auto router = make("power_of_two");
  for (int i = 0; i < 20; ++i) {
    REQUIRE(router->choose(kRequest, loads({{1, 1}, {2, 0}}), Time{0}, random) == 0);
    REQUIRE(router->choose(kRequest, loads({{5, 5}}), Time{0}, random) == 0);
  }
}

TEST_CASE("join_shortest_queue counts prompt tokens, not requests") {
  Stream random(1, "router", "routing");
  const auto router = make("join_shortest_queue");
  const auto view = [](std::int64_t tokens, int waiting, int running) {
    serving::ReplicaView each;
    each.tokens_queued = tokens;
    each.waiting = waiting;
    each.running = running;
    return each;
  };
  // One long prompt waits at the first, three short ones at the second: least_outstanding would take the first.
  REQUIRE(router->choose(kRequest, Given<serving::ReplicaView>({view(9000, 1, 0), view(600, 3, 0)}), Time{0}, random) == 1);
  REQUIRE(make("least_outstanding")->choose(kRequest, Given<serving::ReplicaView>({view(9000, 1, 0), view(600, 3, 0)}), Time{0}, random) == 0);
  // Those that only decode count among equals alone.
  REQUIRE(router->choose(kRequest, Given<serving::ReplicaView>({view(1, 1, 0), view(0, 0, 200)}), Time{0}, random) == 1);
  REQUIRE(router->choose(kRequest, Given<serving::ReplicaView>({view(0, 0, 7), view(0, 0, 5), view(0, 0, 5)}), Time{0}, random) == 1);
}

TEST_CASE("random draws every replica and every pool equally often, whatever the load") {
  // 60,000 draws over 3: each share within 5 sqrt(2/9 / 60000).
  Stream random(1, "router", "routing");
  const auto replicas = loads({{100, 0}, {0, 0}, {5, 5}});
  const auto pools = pool_loads({{1, 50}, {10, 0}, {3, 3}});
  config::Diagnostics diagnostics;
  const auto replica_router = make("random");
  const auto pool_router = find_pool_policy("random")->make(nullptr, {}, diagnostics);
  std::vector<double> replica_share(3), pool_share(3);
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) {
    replica_share[replica_router->choose(kRequest, replicas, Time{0}, random)] += 1.0 / draws;
    pool_share[pool_router->choose(kRequest, pools, Time{0}, random)] += 1.0 / draws;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(std::abs(replica_share[i] - 1.0 / 3) < 5 * std::sqrt(2.0 / 9 / draws));
    REQUIRE(std::abs(pool_share[i] - 1.0 / 3) < 5 * std::sqrt(2.0 / 9 / draws));
  }
}

TEST_CASE("The registry is in alphabetical order, and an unknown parameter is the user's fault") {
  const std::vector<std::string> names = policy::replica_policy_names();
  REQUIRE(std::is_sorted(names.begin(), names.end()));
  const std::vector<std::string> pools = policy::pool_policy_names();
  REQUIRE(std::is_sorted(pools.begin(), pools.end()));
  REQUIRE(policy::find_replica_policy("least_outstandng") == nullptr);

  config::Table table;
  table.entries.push_back(
      {"use", Place{"a.toml", 1, 1}, std::make_unique<config::Node>(config::Node::Value(std::string("round_robin")), Place{"a.toml", 1, 7})});
  config::Diagnostics diagnostics;
  const config::Node fine(config::Node::Value(std::move(table)), Place{"a.toml", 1, 1});
  REQUIRE(policy::find_replica_policy("round_robin")->make(&fine, diagnostics) != nullptr);
  REQUIRE_FALSE(diagnostics.failed());

  config::Table wrong;
  wrong.entries.push_back({"weight", Place{"a.toml", 2, 1}, std::make_unique<config::Node>(config::Node::Value(2.0), Place{"a.toml", 2, 10})});
  const config::Node bad(config::Node::Value(std::move(wrong)), Place{"a.toml", 1, 1});
  policy::find_replica_policy("round_robin")->make(&bad, diagnostics);
  REQUIRE_THROWS_AS(diagnostics.throw_if_failed(), UserError);
}
