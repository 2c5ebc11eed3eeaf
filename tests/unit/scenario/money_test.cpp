// Sites, feeds, currencies and demand charges.
#include <catch2/catch.hpp>

#include "metering/demand_charge.hpp"
#include "unit/scenario/sites.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

namespace {

/// A busy cluster in Frankfurt on a feed, an idle one and half a pool in Oslo.
const std::string kTwoSites = R"(schema = 1
[time]
duration = "40 min"
warmup = "1 min"
[site.fra]
pue = 1.3
price = "90 EUR/MWh"
carbon = "380 g/kWh"
[site.oslo]
pue = 1.1
price = "40 EUR/MWh"
carbon = "30 g/kWh"
[feed.row-a]
site = "fra"
rating = "12 kW"
continuous = "80 %"
[cluster.south]
feed = "row-a"
node = "dgx-h100"
nodes = 2
cost = { rental = "1.30 EUR/GPU/h" }
[cluster.north]
site = "oslo"
node = "dgx-h100"
nodes = 1
[pool.chat]
cluster = "south"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 8
[pool.far]
cluster = "north"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 4
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "4 /s"
)";

double total(const Result& result, std::size_t boundary) { return result.energy.joules[boundary]; }

}  // namespace

TEST_CASE("Energy, cost and carbon by site add up to the run's") {
  const Result result = simulate(load_text(kTwoSites), {});
  REQUIRE(result.sites.size() == 2);
  const auto& fra = result.sites[0];
  const auto& oslo = result.sites[1];
  CHECK(fra.clusters == std::vector<std::string>{"south"});
  CHECK(oslo.clusters == std::vector<std::string>{"north"});
  for (std::size_t b = 0; b < 4; ++b) CHECK(fra.joules[b] + oslo.joules[b] == Approx(total(result, b)).epsilon(1e-12));
  CHECK(fra.joules[kFacilityBoundary] == Approx(1.3 * fra.joules[kItBoundary]).epsilon(1e-12));
  CHECK(oslo.joules[kFacilityBoundary] == Approx(1.1 * oslo.joules[kItBoundary]).epsilon(1e-12));
  CHECK(*fra.energy_cost == Approx(fra.joules[kFacilityBoundary] * 90 / 3.6e9).epsilon(1e-12));
  CHECK(*result.cost->energy == Approx(*fra.energy_cost + *oslo.energy_cost).epsilon(1e-12));
  CHECK(*result.carbon_grams == Approx(fra.joules[kFacilityBoundary] * 380 / 3.6e6 + oslo.joules[kFacilityBoundary] * 30 / 3.6e6).epsilon(1e-12));
  CHECK(*result.cost->rental == Approx(1.3 * 16 * result.horizon_s / 3600).epsilon(1e-12));
  double pools = 0;
  for (const auto& pool : result.energy.pools) pools += pool.joules[kFacilityBoundary];
  CHECK(pools == Approx(total(result, kFacilityBoundary)).epsilon(1e-12));
  // The unused GPUs, 8 in Frankfurt and 4 in Oslo, are one row at each site's PUE.
  REQUIRE(result.energy.pools.back().name == "no pool");
  const auto& unused = result.energy.pools.back().joules;
  CHECK(unused[kFacilityBoundary] > 1.1 * unused[kItBoundary]);
  CHECK(unused[kFacilityBoundary] < 1.3 * unused[kItBoundary]);
}

TEST_CASE("A feed carries the nodes of its clusters, chassis AC and network, without cooling") {
  const Result result = simulate(load_text(kTwoSites), {});
  REQUIRE(result.feeds.size() == 1);
  const auto& feed = result.feeds[0];
  CHECK(feed.site == "fra");
  CHECK(feed.usable_watts == Approx(9600));
  const auto& watts = result.energy.feeds[0].watts;
  double joules = 0;
  for (const double each : watts) joules += each;
  CHECK(joules == Approx(result.sites[0].joules[kItBoundary]).epsilon(1e-9));  // bins of 1 s, none of them cut
  double mean = 0;
  for (std::size_t i = 60; i < watts.size(); ++i) mean += watts[i] / static_cast<double>(watts.size() - 60);
  CHECK(feed.load.mean == Approx(mean).epsilon(1e-9));
  CHECK(feed.load.peak_900s >= feed.load.mean);
  CHECK(feed.load.peak_window == feed.load.peak_900s);
  const Forecast forecast = scenario::forecast(load_text(kTwoSites));
  REQUIRE(forecast.feeds.size() == 1);
  CHECK(forecast.feeds[0].nameplate_watts > feed.load.peak_900s);
  bool told = false;
  for (const auto& note : forecast.notes) told = told || note.find("feed \"row-a\"") == 0;
  CHECK(told);  // two DGX at their nameplate are above 9.6 kW
}

TEST_CASE("Feeds and sites that are not there, or do not go together") {
  CHECK_THAT(faults(kTwoSites, {"cluster.south.feed='row-b'"}), Contains("hangs on a feed \"row-b\"") && Contains("did you mean \"row-a\"?"));
  CHECK_THAT(faults(kTwoSites, {"cluster.south.site='oslo'"}), Contains("stands at \"oslo\" and its feed \"row-a\" at \"fra\""));
  CHECK_THAT(faults(kTwoSites, {"cluster.north.site='osl'"}), Contains("did you mean \"oslo\"?"));
  CHECK_THAT(faults(kTwoSites, {"feed.row-a.site='paris'"}), Contains("site \"paris\" that is not there"));
  CHECK_THAT(faults(kTwoSites, {"feed.row-a.window='1.5 s'"}), Contains("no multiple of the bin"));
  CHECK_THAT(faults(kTwoSites, {"feed.row-a.rating='0 W'"}), Contains("rating"));
  CHECK_THAT(faults(kTwoSites, {"feed.row-a.rating='17'"}), Contains("unit"));
  CHECK_THAT(faults(kTwoSites, {"feed.row-a.continuous='120 %'"}), Contains("continuous"));
  CHECK_THAT(faults(kTwoSites, {"cluster.bare={node='dgx-h100',nodes=1}"}), Contains("does not say at which of the 2 sites"));
  CHECK_THAT(faults(kTwoSites, {"pool.own={node='dgx-h100',model='meta-llama/Llama-3.1-8B-Instruct',tensor_parallel_size=1,replicas=1}"}),
             Contains("makes its own cluster, and there are several sites"));
}

TEST_CASE("What one site does not state has no sum, and a note says so") {
  std::string text = kTwoSites;
  text.erase(text.find("carbon = \"30 g/kWh\"\n"), 20);
  const Result result = simulate(load_text(text), {});
  CHECK_FALSE(result.carbon_grams);
  CHECK(result.sites[0].carbon_grams);
  bool told = false;
  for (const auto& note : result.notes) told = told || note.find("site \"oslo\" states no carbon") == 0;
  CHECK(told);
}

TEST_CASE("Several currencies are refused by name unless their rates are stated") {
  const std::vector<std::string> mixed = {"site.oslo.price='50 USD/MWh'", "cluster.north.cost={capital='300000 GBP/node',life='4 year'}"};
  CHECK_THAT(faults(kTwoSites, mixed), Contains("costs are in EUR and, the price of site \"oslo\", in USD, and no rate is stated") &&
                                           Contains("add [currency] with base = \"EUR\" and USD = \"1.08 EUR\"") &&
                                           Contains("the capital of \"north\""));
  std::vector<std::string> rated = mixed;
  rated.push_back("currency={base='USD',EUR='1.08 USD'}");
  CHECK_THAT(faults(kTwoSites, rated), Contains("the capital of \"north\", in GBP") && Contains("add GBP = \"1.08 USD\" to [currency]"));
  rated.back() = "currency={base='USD',EUR='1.08 USD',GBP='1.30 USD'}";
  const Result result = simulate(load_text(kTwoSites, rated), {});
  const auto& fra = result.sites[0];
  const auto& oslo = result.sites[1];
  CHECK(result.cost->currency == "USD");
  CHECK(*fra.energy_cost == Approx(1.08 * fra.joules[kFacilityBoundary] * 90 / 3.6e9).epsilon(1e-12));
  CHECK(*oslo.energy_cost == Approx(oslo.joules[kFacilityBoundary] * 50 / 3.6e9).epsilon(1e-12));
  CHECK(*result.cost->rental == Approx(1.08 * 1.3 * 16 * result.horizon_s / 3600).epsilon(1e-12));
  CHECK(*result.cost->capital == Approx(1.30 * 300000 * result.horizon_s / (4 * 365 * 86400.0)).epsilon(1e-12));
  CHECK_THAT(faults(kTwoSites, {"currency={base='USD'}"}), Contains("add EUR = \"1.08 USD\" to [currency]"));
  CHECK_THAT(faults(kTwoSites, {"currency={base='EURO'}"}), Contains("no currency \"EURO\"") && Contains("did you mean \"EUR\"?"));
  CHECK_THAT(faults(kTwoSites, {"currency={base='USD',EUR='1.08 GBP'}"}), Contains("what one EUR is in USD is not said"));
  CHECK_THAT(faults(kTwoSites, {"currency={base='USD',EUR='0 USD'}"}), Contains("not said"));
  CHECK_THAT(faults(kTwoSites, {"currency={EUR='1.08 USD'}"}), Contains("add base"));
  CHECK_THAT(faults(kTwoSites, {"currency=3"}), Contains("expected a table [currency]"));
}

// 12 EUR/kW and month = 0.012 EUR/W; March 2025 in Berlin has 31 days less an hour. The run's second part lies in April.
TEST_CASE("A demand charge goes by calendar month and by the clock's quarter hours") {
  const std::string text =
      on_site("timezone = \"Europe/Berlin\"\ndemand_charge = \"12 EUR/kW/month\"\n", "start = 2025-03-31T23:20:00+02:00\nduration = \"2 h\"\n");
  const Result result = simulate(load_text(text), {});
  REQUIRE(result.cost);
  CHECK_FALSE(result.cost->energy);
  metering::BinnedPower facility = result.energy.sites[0].it;
  for (double& watts : facility.watts) watts *= 1.25;
  const auto quarter = [&](int from_min) { return facility.mean(Time{from_min * 60'000'000'000}, Time{(from_min + 15) * 60'000'000'000}); };
  const double march = quarter(10);  // 23:30 .. 23:45
  const double march_2 = quarter(25);
  double april = 0;
  for (int from = 40; from + 15 <= 120; from += 15) april = std::max(april, quarter(from));
  const double expected = 0.012 * (std::max(march, march_2) * 40 / (31 * 1440.0 - 60) + april * 80 / (30 * 1440.0));
  CHECK(*result.cost->demand == Approx(expected).epsilon(1e-12));
  CHECK(result.cost->total == *result.cost->demand);
  for (const std::string wrong :
       {"\"12 EUR/kW\"", "\"12 EUR/kWh/month\"", "\"-1 EUR/kW/month\"", "12", "\"12 kW/month\"", "\"12 EUR/kW/GPU/month\""}) {
    CAPTURE(wrong);
    CHECK_THAT(faults(on_site("demand_charge = " + wrong + "\n")), Contains("12 EUR/kW/month"));
  }
}

TEST_CASE("The resolved file says the same again") {
  const SeriesFile price("time,v\n2025-03-18 00:00,50\n2025-03-18 01:00,70\n");
  const std::vector<std::string> sets = {"site.fra.price=" + price.table("GBP/MWh", ", gaps = \"hold\", repeat = true"),
                                         "time.start=2025-03-18T00:00:00",
                                         "site.fra.timezone='Europe/Berlin'",
                                         "site.oslo.timezone='Europe/Berlin'",
                                         "currency={base='EUR',GBP='1.17 EUR'}",
                                         "site.oslo.demand_charge='12 EUR/kW/month'"};
  const Scenario scenario = load_text(kTwoSites, sets);
  const std::string resolved = resolved_toml(scenario);
  const Scenario again = load_text(resolved);
  CHECK(resolved_toml(again) == resolved);
  CHECK(again.start->ns == scenario.start->ns);
  CHECK(again.sites[0].price->signal->at(Time{0}) == scenario.sites[0].price->signal->at(Time{0}));
  // Midnight in Berlin is 23:00 UTC, an hour before the series' two: with `repeat`, the second of them.
  CHECK(again.sites[0].price->signal->at(Time{0}) == Approx(1.17 * 70 / 3.6e9));
}
