#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "policy/registry.hpp"

using namespace joulecast;
using serving::ReplicaView;

namespace {

/// Replicas of which position i has so many waiting and running requests.
class Loads final : public engine::Views<ReplicaView> {
 public:
  explicit Loads(std::vector<std::pair<int, int>> loads) : loads_(std::move(loads)) {}
  std::size_t size() const override { return loads_.size(); }
  ReplicaView at(std::size_t position, Time) const override {
    ReplicaView view;
    view.waiting = loads_[position].first;
    view.running = loads_[position].second;
    return view;
  }

 private:
  std::vector<std::pair<int, int>> loads_;
};

const traces::Request kRequest{Time{0}, 1, 1};

std::unique_ptr<serving::ReplicaRouter> make(const char* name) {
  config::Diagnostics diagnostics;
  return policy::find_routing_policy(name)->make(nullptr, diagnostics);
}

}  // namespace

TEST_CASE("round_robin takes the replicas in turn") {
  const Loads loads({{9, 9}, {0, 0}, {5, 5}});
  Stream random(1, "router", "routing");
  const auto router = make("round_robin");
  for (std::size_t i = 0; i < 7; ++i) REQUIRE(router->choose(kRequest, loads, Time{0}, random) == i % 3);
}

TEST_CASE("least_outstanding counts waiting and running, and takes the lowest index among equals") {
  Stream random(1, "router", "routing");
  const auto router = make("least_outstanding");
  REQUIRE(router->choose(kRequest, Loads({{3, 0}, {0, 2}, {1, 1}}), Time{0}, random) == 1);
  REQUIRE(router->choose(kRequest, Loads({{3, 0}, {1, 0}, {0, 0}, {0, 0}}), Time{0}, random) == 2);
  REQUIRE(router->choose(kRequest, Loads({{0, 4}}), Time{0}, random) == 0);
}

TEST_CASE("power_of_two takes position i of n in order of load with probability 2 (n - 1 - i) / (n (n - 1))") {
  // Of n = 4 distinct loads the least loaded is taken whenever it is drawn, 6 of 12 ordered pairs, the next in 4, then 2, the last never.
  const Loads loads({{30, 0}, {0, 10}, {20, 20}, {10, 10}});  // in order of load: 1, 3, 0, 2
  Stream random(1, "router", "routing");
  const auto router = make("power_of_two");
  std::vector<double> taken(4);
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) taken[router->choose(kRequest, loads, Time{0}, random)] += 1.0 / draws;
  const std::vector<double> expected = {2.0 / 12, 6.0 / 12, 0, 4.0 / 12};
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(std::abs(taken[i] - expected[i]) < 5 * std::sqrt(0.25 / draws));
  REQUIRE(taken[2] == 0);
}

TEST_CASE("power_of_two takes the lower index if both have the same number, and the only one if there is one") {
  Stream random(1, "router", "routing");
  const auto router = make("power_of_two");
  for (int i = 0; i < 20; ++i) {
    REQUIRE(router->choose(kRequest, Loads({{1, 1}, {2, 0}}), Time{0}, random) == 0);
    REQUIRE(router->choose(kRequest, Loads({{5, 5}}), Time{0}, random) == 0);
  }
}

TEST_CASE("The registry is in alphabetical order, and an unknown parameter is the user's fault") {
  const std::vector<std::string> names = policy::routing_policy_names();
  REQUIRE(std::is_sorted(names.begin(), names.end()));
  REQUIRE(policy::find_routing_policy("least_outstandng") == nullptr);

  config::Table table;
  table.entries.push_back(
      {"use", Place{"a.toml", 1, 1}, std::make_unique<config::Node>(config::Node::Value(std::string("round_robin")), Place{"a.toml", 1, 7})});
  config::Diagnostics diagnostics;
  const config::Node fine(config::Node::Value(std::move(table)), Place{"a.toml", 1, 1});
  REQUIRE(policy::find_routing_policy("round_robin")->make(&fine, diagnostics) != nullptr);
  REQUIRE_FALSE(diagnostics.failed());

  config::Table wrong;
  wrong.entries.push_back({"weight", Place{"a.toml", 2, 1}, std::make_unique<config::Node>(config::Node::Value(2.0), Place{"a.toml", 2, 10})});
  const config::Node bad(config::Node::Value(std::move(wrong)), Place{"a.toml", 1, 1});
  policy::find_routing_policy("round_robin")->make(&bad, diagnostics);
  REQUIRE_THROWS_AS(diagnostics.throw_if_failed(), UserError);
}
