// Policies that choose a pool.
#include <catch2/catch.hpp>

#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;
using Catch::Contains;

namespace {

serving::PoolChoice three_pools() {
  serving::PoolChoice choice;
  choice.traffic = "chat";
  choice.pools = {{"a", "small", 8192, {}, {}}, {"b", "large", 8192, {}, {}}, {"c", "small", 8192, {}, {}}};
  choice.known_models = {"small", "large", "small"};
  return choice;
}

struct Made {
  std::unique_ptr<serving::PoolRouter> router;
  std::string told;
};

Made make(const char* name, const std::string& parameters = "") {
  const config::Node table = config::parse_text(parameters, "policy.toml");
  config::Diagnostics diagnostics;
  find_pool_policy(name)->needs(&table, diagnostics);
  if (diagnostics.failed()) return {nullptr, told(diagnostics)};
  auto router = find_pool_policy(name)->make(&table, three_pools(), diagnostics);
  return {std::move(router), told(diagnostics)};
}

std::size_t choose(serving::PoolRouter& router, const serving::RoutedRequest& request, const std::vector<std::pair<int, int>>& pools) {
  Stream random(1, "router", "pool routing");
  return router.choose(request, pool_loads(pools), Time{0}, random);
}

}  // namespace

TEST_CASE("round_robin over pools takes them in turn") {
  const auto made = make("round_robin");
  for (std::size_t i = 0; i < 7; ++i) REQUIRE(choose(*made.router, asks(1), {{1, 9}, {1, 0}, {1, 0}}) == i % 3);
}

TEST_CASE("least_outstanding over pools counts requests a replica, and takes the first among equals") {
  const auto made = make("least_outstanding");
  CHECK(choose(*made.router, asks(1), {{1, 3}, {10, 20}, {2, 5}}) == 1);
  CHECK(choose(*made.router, asks(1), {{3, 1}, {6, 2}, {9, 3}}) == 0);
  CHECK(choose(*made.router, asks(1), {{3, 1}, {7, 2}, {9, 3}}) == 1);
}

TEST_CASE("length_threshold sends short requests to one model and long ones to another, to the less loaded pool of several") {
  const auto made = make("length_threshold", "tokens = 100\nbelow = \"small\"\nabove = \"large\"\n");
  REQUIRE(made.told == "");
  CHECK(choose(*made.router, asks(100), {{1, 2}, {1, 0}, {1, 1}}) == 2);
  CHECK(choose(*made.router, asks(100), {{1, 1}, {1, 0}, {1, 1}}) == 0);
  CHECK(choose(*made.router, asks(101), {{1, 0}, {1, 9}, {1, 0}}) == 1);
}

TEST_CASE("length_threshold asks for a prediction where it needs one, and uses it") {
  const config::Node input = config::parse_text("tokens = 9\nbelow = \"small\"\nabove = \"large\"\n", "a.toml");
  const config::Node total = config::parse_text("tokens = 9\nof = \"total\"\nbelow = \"small\"\nabove = \"large\"\n", "a.toml");
  config::Diagnostics diagnostics;
  CHECK_FALSE(find_pool_policy("length_threshold")->needs(&input, diagnostics).output_length);
  CHECK(find_pool_policy("length_threshold")->needs(&total, diagnostics).output_length);

  const std::vector<std::pair<int, int>> idle{{1, 0}, {1, 0}, {1, 0}};
  const auto of_output = make("length_threshold", "tokens = 100\nof = \"output\"\nbelow = \"small\"\nabove = \"large\"\n");
  CHECK(choose(*of_output.router, asks(5000, 100), idle) == 0);
  CHECK(choose(*of_output.router, asks(5, 100.5), idle) == 1);
  const auto of_total = make("length_threshold", "tokens = 100\nof = \"total\"\nbelow = \"small\"\nabove = \"large\"\n");
  CHECK(choose(*of_total.router, asks(60, 40), idle) == 0);
  CHECK(choose(*of_total.router, asks(60, 41), idle) == 1);
}

TEST_CASE("Faults of length_threshold are named") {
  CHECK_THAT(make("length_threshold", "tokens = 100\nbelow = \"tiny\"\nabove = \"large\"\n").told,
             Contains("sends requests to \"tiny\"") && Contains("traffic \"chat\""));
  CHECK_THAT(make("length_threshold", "tokens = 0\nbelow = \"small\"\nabove = \"large\"\n").told, Contains("tokens"));
  CHECK_THAT(make("length_threshold", "tokens = 9\nof = \"both\"\nbelow = \"small\"\nabove = \"large\"\n").told, Contains("total"));
  CHECK_THAT(make("length_threshold", "tokens = 9\nbelow = \"small\"\nabove = \"small\"\n").told, Contains("one model"));
  CHECK_THAT(make("length_threshold", "below = \"small\"\nabove = \"large\"\n").told, Contains("tokens"));
  CHECK_THAT(make("round_robin", "weight = 2\n").told, Contains("weight"));
}
