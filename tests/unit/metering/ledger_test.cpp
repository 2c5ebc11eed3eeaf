#include "metering/ledger.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "base/error.hpp"

using namespace joulecast;
using namespace joulecast::metering;

namespace {

constexpr int kGpu = 0, kAc = 1, kIt = 2, kFacility = 3;

FixedTime at(double s) { return FixedTime::from_units(s); }
FixedEnergy joules(double j) { return FixedEnergy::from_units(j); }
Time end_at(double s) { return Time{span_from_seconds(s).ns}; }

NodeOverhead host_and_supply(double host, double efficiency) {
  NodeOverhead node;
  node.host = Watts(host);
  node.psu_rated = Watts(10000);
  node.psu_efficiency = {{1.0, efficiency}};
  return node;
}

std::string fault(const Ledger& ledger, Time end) {
  try {
    ledger.close(end, {});
  } catch (const Bug& bug) {
    return bug.what();
  }
  return {};
}

}  // namespace

// 8 GPUs at 70.25 W for 90 min: 70.25 * 8 * 5400 = 3,034,800 J, and (562 + 500) / 0.9 = 1180 W AC.
TEST_CASE("an idle fleet draws idle watts times time, to the digit") {
  Ledger ledger(span_from_seconds(1), 1.25);
  const auto pool = ledger.add_pool("no pool");
  const auto node = ledger.add_node("node", 8, host_and_supply(500, 0.9));
  Meter& meter = ledger.add_device("rest", pool, node, 8);
  meter.add(State::bare_idle, {}, at(5400), joules(70.25 * 8 * 5400));
  const EnergyAccount account = ledger.close(end_at(5400), {});
  CHECK(account.state_nanojoules[0] == 3'034'800'000'000'000);
  CHECK(account.joules[kGpu] == 3'034'800);
  CHECK(account.joules[kAc] == Approx(1180.0 * 5400).epsilon(1e-12));
  CHECK(account.joules[kIt] == account.joules[kAc]);
  CHECK(account.joules[kFacility] == Approx(1.25 * 1180 * 5400).epsilon(1e-12));
  CHECK(account.watts[kGpu].size() == 5400);
  CHECK(account.watts[kGpu][17] == 562.0F);
  CHECK(account.power[kGpu].peak_900s == 562);
  CHECK(account.power[kAc].mean == Approx(1180));
  REQUIRE(account.pools.size() == 1);
  CHECK(account.pools[0].joules[kFacility] == Approx(account.joules[kFacility]));
  CHECK(account.pools[0].gpus == 8);
}

// A node's overhead is shared by the number of GPUs: 6 of 8 and 2 of 8.
TEST_CASE("pools that share a node share its overhead by GPUs") {
  Ledger ledger(span_from_seconds(1), 2.0);
  const ClassId gemm = ledger.register_class("gemm");
  const auto chat = ledger.add_pool("chat"), rest = ledger.add_pool("no pool");
  NodeOverhead overhead = host_and_supply(800, 0.8);
  overhead.network = Watts(40);
  const auto node = ledger.add_node("node", 8, overhead);
  ledger.set_provenance(chat, gemm, Provenance::measured, Provenance::calibrated);
  Meter& busy = ledger.add_device("replica", chat, node, 6);
  Meter& idle = ledger.add_device("rest", rest, node, 2);
  busy.add_steps(State::active, {}, 20, {at(0.125), {}}, {joules(375), {}});
  busy.add_class(gemm, at(2.5), joules(7500));
  idle.add(State::bare_idle, {}, at(2.5), joules(500));
  const EnergyAccount account = ledger.close(end_at(2.5), {});
  CHECK(account.joules[kGpu] == 8000);
  CHECK(account.joules[kAc] == Approx((8000 + 2000) / 0.8));
  CHECK(account.joules[kIt] == Approx(12500 + 100));
  CHECK(account.joules[kFacility] == Approx(25200));
  CHECK(account.pools[chat].joules[kAc] == Approx(7500 + 4500 * 0.75));
  CHECK(account.pools[rest].joules[kAc] == Approx(500 + 4500 * 0.25));
  CHECK(account.pools[rest].joules[kFacility] == Approx(2 * (500 + 4600 * 0.25)));
  CHECK(account.pools[chat].joules[kFacility] + account.pools[rest].joules[kFacility] == Approx(25200));
  REQUIRE(account.pools[chat].classes.size() == 1);
  CHECK(account.pools[chat].classes[0].name == "gemm");
  CHECK(account.pools[chat].classes[0].joules == Approx(7500).epsilon(1e-14));
  CHECK(account.pools[chat].classes[0].watts_provenance == Provenance::calibrated);
  CHECK(account.pools[chat].classes[0].time_provenance == Provenance::measured);
  CHECK(account.pools[rest].classes.empty());
  // The last bin is half a second: its watts are those of its true width.
  REQUIRE(account.watts[kGpu].size() == 3);
  CHECK(account.watts[kGpu][2] == Approx(3200));
  CHECK(account.watts[kIt][2] == Approx(4000 / 0.8 + 40));
  CHECK(account.pools[chat].state_watts[3][2] == Approx(3000));
}

// 100 W for 100 s of warm-up, then 300 W for 200 s.
TEST_CASE("warm-up counts for energy and not for power") {
  Ledger ledger(span_from_seconds(1), 1.0);
  const auto pool = ledger.add_pool("no pool");
  Meter& meter = ledger.add_device("rest", pool, ledger.add_node("node", 1, {}), 1);
  meter.add(State::bare_idle, {}, at(100), joules(10000));
  meter.add(State::context_idle, at(100), at(300), joules(60000));
  const EnergyAccount account = ledger.close(end_at(300), span_from_seconds(100));
  CHECK(account.joules[kGpu] == 70000);
  CHECK(account.power[kGpu].mean == 300);
  CHECK(account.power[kGpu].p50 == 300);
  CHECK(account.power[kGpu].p99_60s == Approx(300));
  CHECK(std::isnan(account.power[kGpu].peak_900s));
  CHECK(ledger.close(end_at(300), {}).power[kGpu].mean == Approx(70000.0 / 300));
}

TEST_CASE("the audit names what does not add up, with the figures") {
  Ledger ledger(span_from_seconds(1), 1.0);
  const ClassId gemm = ledger.register_class("gemm");
  const auto pool = ledger.add_pool("chat");
  const auto node = ledger.add_node("node-a", 2, {});
  Meter& meter = ledger.add_device("chat/0", pool, node, 1);
  meter.add(State::active, {}, at(3), joules(30));
  meter.add_class(gemm, at(3), joules(29));
  CHECK_THAT(fault(ledger, end_at(4)), Catch::Contains("chat/0") && Catch::Contains("3.000000000 s of 4.000000000 s"));
  CHECK_THAT(fault(ledger, end_at(3)), Catch::Contains("classes of chat/0 are 29 J and active is 30 J"));
  meter.add_class(gemm, at(0), joules(1));
  CHECK_THAT(fault(ledger, end_at(3)), Catch::Contains("node-a has 2 GPUs and its devices 1"));
  ledger.add_device("rest", ledger.add_pool("no pool"), node, 1).add(State::bare_idle, {}, at(3), joules(3));
  CHECK(fault(ledger, end_at(3)).empty());
}

TEST_CASE("a meter holds eight classes") {
  Ledger ledger(span_from_seconds(1), 1.0);
  for (int i = 0; i < kMaxClasses; ++i) CHECK(ledger.register_class("class") == i);
  CHECK_THROWS_AS(ledger.register_class("ninth"), Bug);
}
