// carbon_aware: least believed grams over sites, at this instant, within bounds on load and distance.
#include <catch2/catch.hpp>

#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;
using Catch::Contains;

namespace {

/// An hour at 400 g/kWh, then one at 100.
std::shared_ptr<const traces::Series> falling() {
  traces::Series series;
  series.start_ns = {0, 3600'000'000'000};
  series.value = {400 / 3.6e6, 100 / 3.6e6};
  series.end_ns = 7200'000'000'000;
  return std::make_shared<const traces::Series>(series);
}

const control::Signal& north() {
  static const control::Signal signal(200 / 3.6e6);
  return signal;
}
const control::Signal& south() {
  static const control::Signal signal(falling(), 0, false);
  return signal;
}

serving::PoolChoice two_sites() {
  serving::PoolChoice choice = choice_among({{"near", "small", 8192, {}, belief(0, 2)}, {"far", "small", 8192, {}, belief(0, 2)}}, {"small"});
  choice.pools[0].site = {"north", nullptr, &north()};
  choice.pools[1].site = {"south", nullptr, &south()};
  choice.pools[0].pue = 1.2;
  choice.pools[1].pue = 1.5;
  choice.pools[1].network_s = 0.08;
  return choice;
}

Made make(const serving::PoolChoice& choice, const std::string& parameters = "") { return made("carbon_aware", choice, parameters); }

std::size_t choose(const Made& made, double hours, const std::vector<std::pair<int, int>>& loads) {
  Stream random(1, "router", "pool routing");
  return made.router->choose(asks(100, 100), pool_loads(loads), Time{static_cast<std::int64_t>(hours * 3600e9)}, random);
}

}  // namespace

TEST_CASE("requests follow the least grams: joules x PUE x intensity of the hour") {
  const Made made = make(two_sites());
  REQUIRE(made.told == "");
  CHECK(choose(made, 0.5, {{2, 0}, {2, 0}}) == 0);  // 240 against 600
  CHECK(choose(made, 1.5, {{2, 0}, {2, 0}}) == 1);  // 240 against 150
  auto dear = two_sites();
  dear.pools[1].belief->output = 3.3;  // 240 against 247.5
  CHECK(choose(make(dear), 1.5, {{2, 0}, {2, 0}}) == 0);
}

TEST_CASE("a full pool passes requests on, and where all are full the least loaded takes them") {
  const Made made = make(two_sites(), "max_outstanding = 4\n");
  CHECK(choose(made, 0.5, {{2, 7}, {2, 0}}) == 0);
  CHECK(choose(made, 0.5, {{2, 8}, {2, 0}}) == 1);
  CHECK(choose(made, 0.5, {{2, 9}, {2, 8}}) == 1);
  CHECK(choose(made, 0.5, {{2, 8}, {2, 9}}) == 0);
}

TEST_CASE("a site that is too far is never used, not even where the near one is full") {
  const Made made = make(two_sites(), "max_network_latency = \"50 ms\"\nmax_outstanding = 4\n");
  CHECK(choose(made, 1.5, {{2, 0}, {2, 0}}) == 0);
  CHECK(choose(made, 1.5, {{2, 9}, {2, 0}}) == 0);
}

TEST_CASE("missing signals and sites out of reach are refused by name, one site is noted") {
  auto blind = two_sites();
  blind.pools[1].site.carbon = nullptr;
  CHECK_THAT(make(blind).told, Contains("needs the carbon of site \"south\", which states none"));
  auto far = two_sites();
  far.pools[0].network_s = 1;
  CHECK_THAT(make(far, "max_network_latency = \"50 ms\"\n").told, Contains("no pool of traffic \"chat\" is within"));
  auto one = two_sites();
  one.pools[1].site = one.pools[0].site;
  CHECK_THAT(make(one).told, Contains("note: ") && Contains("at one site"));
  auto negative = two_sites();
  negative.pools[0].belief->input = -1;
  CHECK_THAT(make(negative).told, Contains("is negative for lengths"));
}
