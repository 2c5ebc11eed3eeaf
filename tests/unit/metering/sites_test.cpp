#include <catch2/catch.hpp>
#include <cmath>

#include "metering/demand_charge.hpp"
#include "metering/feed.hpp"
#include "metering/ledger.hpp"

using namespace joulecast;
using namespace joulecast::metering;

namespace {

constexpr int kGpu = 0, kAc = 1, kIt = 2, kFacility = 3;
constexpr double kHour = 3600;

Time at(double s) { return Time{span_from_seconds(s).ns}; }

NodeOverhead host_and_network(double host, double network) {
  NodeOverhead node;
  node.host = Watts(host);
  node.network = Watts(network);
  return node;
}

/// Watts a bin of `bin_s` seconds.
BinnedPower power(std::vector<double> watts, double bin_s, double end_s) { return {std::move(watts), span_from_seconds(bin_s), at(end_s)}; }

}  // namespace

// Two nodes of 2 GPUs at 100 W each: 400 W GPU in all. Node a (PUE 1.1): 200 + 50 host, 10 network = 260 W it. Node b (PUE 1.5): 200 + 150, 20 = 370
// W.
TEST_CASE("energy by site: each node at its site's PUE, a pool over both sites at each") {
  Ledger ledger(span_from_seconds(1), 1.1);
  const std::size_t there = ledger.add_site(1.5), row = ledger.add_feed();
  const auto pool = ledger.add_pool("no pool"), own = ledger.add_pool("own");
  const auto a = ledger.add_node("a", 2, host_and_network(50, 10), {0, row});
  const auto b = ledger.add_node("b", 2, host_and_network(150, 20), {there, {}});
  const auto idle = [&](std::size_t of, std::size_t node, int gpus) {
    ledger.add_device("rest", of, node, gpus).add(State::bare_idle, {}, FixedTime::from_units(10), FixedEnergy::from_units(1000.0 * gpus));
  };
  idle(pool, a, 2);
  idle(pool, b, 1);
  idle(own, b, 1);
  const EnergyAccount account = ledger.close(at(10), {});
  REQUIRE(account.sites.size() == 2);
  CHECK(account.sites[0].joules[kGpu] == Approx(2000));
  CHECK(account.sites[0].joules[kAc] == Approx(2500));
  CHECK(account.sites[0].joules[kIt] == Approx(2600));
  CHECK(account.sites[0].joules[kFacility] == Approx(2600 * 1.1));
  CHECK(account.sites[1].joules[kFacility] == Approx(3700 * 1.5));
  CHECK(account.joules[kFacility] == Approx(2600 * 1.1 + 3700 * 1.5));
  CHECK(account.pools[own].joules[kFacility] == Approx(3700 * 1.5 / 2));
  CHECK(account.pools[pool].joules[kFacility] == Approx(2600 * 1.1 + 3700 * 1.5 / 2));
  CHECK(account.sites[1].it.watts == std::vector<double>(10, 370));
  REQUIRE(account.feeds.size() == 1);
  CHECK(account.feeds[0].watts == std::vector<double>(10, 260));  // node b hangs on no feed
}

// 100 W, 300 W and, for half a bin, 200 W.
TEST_CASE("a price's steps split a bin in proportion to time") {
  const BinnedPower bins = power({100, 300, 200}, 10, 25);
  CHECK(bins.joules(at(0), at(25)) == Approx(1000 + 3000 + 1000));
  CHECK(bins.joules(at(7), at(12)) == Approx(300 + 600));
  CHECK(bins.joules(at(-5), at(1)) == Approx(100));
  CHECK(bins.joules(at(24), at(99)) == Approx(200));
  CHECK(bins.joules(at(30), at(40)) == 0);
  CHECK(bins.mean(at(5), at(15)) == Approx(200));
  const std::vector<RateStep> steps{{at(0), 2}, {at(7), -1}, {at(12), 0.5}};
  CHECK(integral(bins, steps) == Approx(2 * 700 - 1 * 900 + 0.5 * (8 * 300 + 1000)));
  const std::vector<RateStep> one{{at(0), 3}};
  CHECK(integral(bins, one) == Approx(3 * 5000));
}

// 12 a kW and month = 0.012 a W; a quarter hour at 80 kW in a day at 50 kW, in a month of 30 days: 0.012 * 80000 * 1/30.
TEST_CASE("a demand charge is the rate times the highest quarter hour times the part of the month") {
  std::vector<double> watts(24 * 60, 50000);
  for (std::size_t i = 600; i < 615; ++i) watts[i] = 80000;  // 10:00 .. 10:15
  const BinnedPower day = power(watts, 60, 24 * kHour);
  const std::vector<BillingPeriod> month{{at(0), at(24 * kHour), 1.0 / 30}};
  CHECK(demand_peak(day, month[0], at(0)) == Approx(80000));
  CHECK(demand_charge(day, month, at(0), MoneyPerWatt(0.012)).si() == Approx(0.012 * 80000 / 30));
  // Where quarter hours begin 5 minutes later the peak lies in two of them: 10 of 15 minutes at 80 kW.
  CHECK(demand_peak(day, month[0], at(300)) == Approx(70000));
  CHECK(demand_peak(day, month[0], at(300 - 9000)) == Approx(70000));
  // Two months that meet at 12:00.
  const std::vector<BillingPeriod> two{{at(0), at(12 * kHour), 0.5 / 31}, {at(12 * kHour), at(24 * kHour), 0.5 / 28}};
  CHECK(demand_charge(day, two, at(0), MoneyPerWatt(0.012)).si() == Approx(0.012 * (80000 * 0.5 / 31 + 50000 * 0.5 / 28)));
  // No whole quarter hour: the mean.
  CHECK(demand_peak(day, {at(36000 - 300), at(36000 + 300), 0}, at(0)) == Approx(65000));
}

// 1000 s at 60 kW, 2000 s at 90 kW, 1000 s at 60 kW on 80 kW usable, windows of 1000 s: the excess is 2 windows of 10 kW.
TEST_CASE("a feed's mean, peaks and excess") {
  std::vector<double> watts(40, 60000);
  for (std::size_t i = 10; i < 30; ++i) watts[i] = 90000;
  const BinnedPower it = power(watts, 100, 4000);
  const FeedLoad load = feed_load(it, 0, span_from_seconds(1000), Watts(80000));
  CHECK(load.mean == Approx(75000));
  CHECK(load.peak_window == Approx(90000));
  CHECK(load.peak_900s == Approx(90000));
  CHECK(load.excess_joules == Approx(2 * 1000 * 10000.0));
  // A window with k of 10 bins at 90 kW is above 80 kW from k = 7 on: those that begin at bins 7 .. 23.
  CHECK(load.over_usable_s == Approx(100.0 * 17));
  CHECK(feed_load(it, 30, span_from_seconds(1000), Watts(80000)).mean == Approx(60000));
  CHECK(feed_load(it, 30, span_from_seconds(1000), Watts(80000)).over_usable_s == 0);
  CHECK(std::isnan(feed_load(it, 31, span_from_seconds(1000), Watts(80000)).peak_window));
  CHECK(std::isnan(feed_load(it, 40, span_from_seconds(1000), Watts(80000)).mean));
}
