// Kernel-level plans: sums and clock changes by hand, goals against each other, switch-aware plans against every plan there is.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>

#include "base/philox.hpp"
#include "policy/clocks/kernel_dvfs.hpp"
#include "policy/clocks/kernel_switches.hpp"
#include "policy/clocks/switch_path.hpp"

using namespace joulecast;
using namespace joulecast::policy;

namespace {

/// E, a loop of L1 L2 (3 times), X; two settings.
KernelSet by_hand() {
  return {{"auto", "low"},
          {{"E", 1, {{0, 1, 10}, {1, 2, 8}}},
           {"L1", 3, {{0, 1, 10}, {1, 1.1, 6}}},
           {"L2", 3, {{0, 1, 10}, {1, 3, 5}}},
           {"X", 1, {{0, 1, 10}, {1, 1, 9}}}}};
}

KernelSet random_set(std::uint64_t seed, std::vector<int> repeats, int settings) {
  Stream stream(seed, "kernels", "options");
  KernelSet set;
  for (int s = 0; s < settings; ++s) set.settings.push_back(std::to_string(s));
  for (const int repeat : repeats) {
    Kernel kernel{"k", repeat, {}};
    const double time = 0.1 + stream.uniform(), energy = 100 * time * (0.8 + 0.4 * stream.uniform());
    kernel.options.push_back({0, time, energy});
    for (int s = 1; s < settings; ++s) {
      kernel.options.push_back({s, time * (0.95 + 0.4 * stream.uniform()), energy * (0.6 + 0.45 * stream.uniform())});
    }
    set.kernels.push_back(std::move(kernel));
  }
  return set;
}

/// The least energy of all plans within a time; the latency charged.
double exhaustive(const KernelSet& set, double seconds, const SwitchCost& cost) {
  KernelPlan plan(set.kernels.size(), 0);
  double least = totals(set, plan, cost).joules;
  for (;;) {
    std::size_t at = 0;
    for (; at < plan.size(); ++at) {
      if (static_cast<std::size_t>(++plan[at]) < set.kernels[at].options.size()) break;
      plan[at] = 0;
    }
    if (at == plan.size()) return least;
    const KernelTotals sum = totals(set, plan, cost);
    if (sum.seconds <= seconds * (1 + 1e-12) && sum.joules < least) least = sum.joules;
  }
}

}  // namespace

TEST_CASE("sums of calls, and changes in and between loops") {
  const KernelSet set = by_hand();
  CHECK(totals(set, {}).seconds == Approx(8));
  CHECK(totals(set, {}).joules == Approx(80));
  CHECK(totals(set, {}).changes == 0);
  // E auto, L1 low, L2 auto, X auto: L1 is entered 3 times and left 3 times.
  CHECK(totals(set, {0, 1, 0, 0}).changes == 6);
  // E low, L1 low, L2 auto, X low: within the loop 3 + 2, to X, none back to E.
  CHECK(totals(set, {1, 1, 0, 1}).changes == 6);
  // E low alone: one to L1, one back from X.
  CHECK(totals(set, {1, 0, 0, 0}).changes == 2);
  const KernelTotals charged = totals(set, {0, 1, 0, 0}, {Seconds(0.01), Watts(100)});
  CHECK(charged.seconds == Approx(8.3 + 0.06));
  CHECK(charged.joules == Approx(80 - 12 + 6));
}

TEST_CASE("goals: local within each kernel's time, global within the sum, never worse") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const KernelSet set = random_set(seed, {1, 1, 24, 24, 24, 24, 1, 1}, 6);
    double last = 1;
    for (const double tolerance : {0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.6}) {
      const KernelResult local = plan_local(set, tolerance), global = plan_global(set, tolerance);
      CHECK(local.time_change <= tolerance + 1e-9);
      CHECK(global.time_change <= tolerance + 1e-9);
      CHECK(global.energy_change <= local.energy_change + 1e-12);
      CHECK(global.energy_change <= last + 1e-12);
      CHECK(global.bound_joules.value() <= global.totals.joules);
      last = global.energy_change;
    }
    const auto product = [](const KernelResult& result) { return result.totals.seconds * result.totals.joules; };
    CHECK(product(plan_global_edp(set)) <= product(plan_local_edp(set)) * (1 + 1e-12));
    for (const double tolerance : {0.0, 0.1, 0.3}) CHECK(product(plan_global_edp(set)) <= product(plan_global(set, tolerance)) * (1 + 1e-12));
  }
}

TEST_CASE("the least energy-delay product of all plans") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const KernelSet set = random_set(seed, {1, 3, 3, 1, 1}, 4);
    double least = 1e300;
    KernelPlan plan(5, 0);
    for (int code = 0; code < 1024; ++code) {
      for (int k = 0; k < 5; ++k) plan[static_cast<std::size_t>(k)] = code >> (2 * k) & 3;
      const KernelTotals sum = totals(set, plan);
      least = std::min(least, sum.seconds * sum.joules);
    }
    const KernelResult found = plan_global_edp(set);
    CHECK(found.totals.seconds * found.totals.joules == Approx(least).epsilon(1e-12));
  }
}

TEST_CASE("the shortest path is the cheapest of all plans at its price") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const KernelSet set = random_set(seed, {1, 3, 3, 1, 2, 2}, 3);
    for (const double latency : {0.0, 0.005, 0.05, 1.0}) {
      const SwitchCost cost{Seconds(latency), Watts(40)};
      for (const double price : {0.0, 20.0, 200.0}) {
        const auto best = SwitchPath(set, cost).solve(price);
        const KernelTotals sum = totals(set, best.plan, cost);
        CHECK(best.value == Approx(sum.joules + price * sum.seconds));
        KernelPlan plan(6, 0);
        double least = 1e300;
        for (int code = 0; code < 729; ++code) {
          for (int k = 0, rest = code; k < 6; ++k, rest /= 3) plan[static_cast<std::size_t>(k)] = rest % 3;
          const KernelTotals other = totals(set, plan, cost);
          least = std::min(least, other.joules + price * other.seconds);
        }
        CHECK(best.value == Approx(least).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("switch-aware plans: the bound holds, and what exhaustive search finds is found") {
  int equal = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    const KernelSet set = random_set(seed, {1, 3, 3, 3, 1, 1}, 4);
    for (const double latency : {0.003, 0.02, 0.1}) {
      CAPTURE(latency);
      const SwitchCost cost{Seconds(latency), Watts(40)};
      const KernelResult result = plan_with_switches(set, 0.05, cost);
      const double least = exhaustive(set, 1.05 * totals(set, {}).seconds, cost);
      CHECK(result.time_change <= 0.05 + 1e-9);
      CHECK(result.bound_joules.value() <= least * (1 + 1e-12));
      CHECK(result.totals.joules >= least * (1 - 1e-12));
      CHECK(result.totals.joules <= least * 1.02);
      ++all;
      equal += result.totals.joules <= least * (1 + 1e-12) ? 1 : 0;
    }
  }
  CHECK(equal >= all * 9 / 10);
}

TEST_CASE("switch-aware plans over latencies: the knapsack at 0, never better with latency, never worse than one setting") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const KernelSet set = random_set(seed, {1, 1, 24, 24, 24, 24, 24, 1, 24, 24, 24, 1}, 10);
    std::vector<Seconds> latencies = {Seconds(0)};
    for (double latency = 1e-5; latency < 100; latency *= 3) latencies.push_back(Seconds(latency));
    const auto curve = plan_with_switches(set, 0.01, latencies, Watts(40));
    CHECK(curve.front().plan == plan_global(set, 0.01).plan);
    const double single = plan_single_setting(set, 0.01).totals.joules;
    for (std::size_t i = 0; i < curve.size(); ++i) {
      CHECK(curve[i].time_change <= 0.01 + 1e-9);
      CHECK(curve[i].totals.joules <= single * (1 + 1e-12));
      CHECK(curve[i].bound_joules.value() <= curve[i].totals.joules);
      if (i > 0) CHECK(curve[i].totals.joules >= curve[i - 1].totals.joules * (1 - 1e-12));
    }
    CHECK(curve.back().totals.changes == 0);
  }
}
