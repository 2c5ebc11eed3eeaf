// Planners on published profiles: bounds by GLPK, certified by its prices; times; plans that keep what they promise.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "policy/clocks/effective_cost.hpp"
#include "policy/clocks/kernel_dvfs.hpp"
#include "policy/clocks/kernel_switches.hpp"
#include "policy/clocks/operation_times.hpp"
#include "policy/clocks/pipeline_slack.hpp"
#include "policy/clocks/slack_frontier.hpp"
#include "policy/clocks/switch_charge.hpp"
#include "support/glpk_program.hpp"
#include "training/replay.hpp"
#include "validation/kernel_dvfs.hpp"
#include "validation/perseus.hpp"

using namespace joulecast;
using namespace joulecast::validation;
using training::Iteration;
using training::PlanResult;
using training::Replay;

namespace {

Sources sources() {
  const char* given = std::getenv("JOULECAST_DATA");
  return {given == nullptr ? "" : given, "."};
}

bool no_data() {
  if (!sources().data.empty()) return false;
  WARN("JOULECAST_DATA is not set: skipped");
  return true;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The relaxation written down again from the iteration alone: starts, ends, makespan T, durations as mixtures of an operation's points (weights sum
/// to 1, all points, no hull). min sum w*(e - P t) + P_all*T.
struct Independent {
  double optimum, certificate;
};
Independent by_glpk(const Iteration& iteration, double deadline) {
  test::GlpkProgram program;
  double watts = 0;
  for (const Watts blocking : iteration.blocking) watts += blocking.si();
  const int makespan = program.column(watts, deadline);
  std::vector<int> start, first;
  for (const auto& operation : iteration.operations) {
    start.push_back(program.column(0, deadline));
    first.push_back(0);
    const auto& points = iteration.costs[static_cast<std::size_t>(operation.kind)];
    const double blocking = iteration.blocking[static_cast<std::size_t>(operation.stage)].si();
    // sum of weights at least 1: an operation is run once; more would only take longer.
    const int once = program.row(1);
    for (const auto& point : points) {
      const int weight = program.column(point.energy.units() - blocking * point.time.units(), 1);
      program.entry(once, weight, 1);
      if (first.back() == 0) first.back() = weight;
    }
    const int end = program.row(0);
    program.entry(end, makespan, 1);
    program.entry(end, start.back(), -1);
    for (std::size_t k = 0; k < points.size(); ++k) program.entry(end, first.back() + static_cast<int>(k), -points[k].time.units());
  }
  for (const auto& edge : iteration.dependencies) {
    const auto before = static_cast<std::size_t>(edge.before);
    const int row = program.row(edge.delay.units());
    program.entry(row, start[static_cast<std::size_t>(edge.after)], 1);
    program.entry(row, start[before], -1);
    const auto& points = iteration.costs[static_cast<std::size_t>(iteration.operations[before].kind)];
    for (std::size_t k = 0; k < points.size(); ++k) program.entry(row, first[before] + static_cast<int>(k), -points[k].time.units());
  }
  const double optimum = program.solve();
  return {optimum, program.certificate()};
}

double gap(const Iteration& iteration, const PlanResult& result, std::optional<FixedTime> until = {}) {
  return 100 * (training::replay(iteration, result.plan, until).total().units() - result.bound_joules.value()) /
         training::replay(iteration, {}, until).total().units();
}

FixedTime times(FixedTime time, double factor) { return factor == 1 ? time : FixedTime::from_units(factor * time.units()); }

}  // namespace

TEST_CASE("the bound of pipeline_slack is GLPK's optimum, which its own prices certify") {
  if (no_data()) return;
  for (const PerseusSetup& setup : perseus_setups()) {
    const Iteration iteration = *perseus_iteration(sources(), setup, 12);
    const FixedTime highest = training::replay(iteration, {}).makespan;
    for (const double factor : {1.0, 1.05}) {
      CAPTURE(setup.gpu, factor);
      const Independent independent = by_glpk(iteration, times(highest, factor).units());
      CHECK(independent.certificate == Approx(independent.optimum).epsilon(1e-9));
      CHECK(policy::PipelineSlack().plan(iteration, times(highest, factor)).bound_joules.value() == Approx(independent.optimum).epsilon(1e-9));
    }
  }
}

TEST_CASE("plans within their deadlines, close to the bound and never below it, clocks that the profile has") {
  if (no_data()) return;
  for (const PerseusSetup& setup : perseus_setups()) {
    for (const int microbatches : {12, 24}) {
      const Iteration iteration = *perseus_iteration(sources(), setup, microbatches);
      const FixedTime highest = training::replay(iteration, {}).makespan;
      for (const double factor : {1.0, 1.05, 1.1, 1.2}) {
        CAPTURE(setup.gpu, microbatches, factor);
        const FixedTime deadline = times(highest, factor);
        const PlanResult plan = policy::PipelineSlack().plan(iteration, deadline);
        CHECK(training::replay(iteration, plan.plan).makespan <= deadline);
        CHECK(gap(iteration, plan) >= 0);
        CHECK(gap(iteration, plan) <= (factor == 1 ? (setup.gpu == "a100" ? 0.3 : 1.1) : factor == 1.05 ? 0.6 : 0.15));
        const PlanResult waiting = policy::PipelineSlack().plan_for_straggler(iteration, deadline);
        CHECK(training::replay(iteration, waiting.plan).makespan <= deadline);
        CHECK(gap(iteration, waiting, deadline) >= 0);
        if (factor > 1) CHECK(gap(iteration, waiting, deadline) <= 0.15);
        // Charged with a latency that is longer than any pass the plan is not what it was, and 0 changes nothing.
        policy::ChargeOptions options;
        CHECK(policy::charge_switches(iteration, plan.plan, options).replay.total() == training::replay(iteration, plan.plan).total());
      }
    }
  }
}

TEST_CASE("1,536 operations: 25 deadlines, none above its deadline or below its bound; CPU seconds are printed, not judged", "[long]") {
  if (no_data()) return;
  const Iteration iteration = *perseus_iteration(sources(), perseus_setups().front(), 96);
  REQUIRE(iteration.operations.size() == 1536);
  const FixedTime highest = training::replay(iteration, {}).makespan;
  double begin = cpu_seconds();
  policy::PipelineSlack().plan(iteration, highest);
  const double one = cpu_seconds() - begin;
  begin = cpu_seconds();
  const policy::SlackFrontier frontier(iteration, highest, 25);
  const double all = cpu_seconds() - begin;
  WARN(fmt::format("one deadline {:.2f} CPU s, 25 {:.2f}", one, all));
  for (const policy::FrontierPoint& point : frontier.points()) {
    CHECK(point.makespan <= point.deadline);
    CHECK(training::replay(iteration, point.plan, point.deadline).total().units() >= point.bound_joules);
  }
}

TEST_CASE("kernel plans: GLPK's integer optimum on published points and on fitted surfaces") {
  if (no_data()) return;
  const auto tables = kernel_tables(sources().data + "/training/kernel-dvfs");
  REQUIRE(tables);
  const auto fit = fitted_surfaces(*tables);
  WARN(fmt::format("surfaces: pass time {:.1f} %, pass energy {:.1f} %, best pairs' time {:.1f} and energy {:.1f} points", 100 * fit.errors.pass_time,
                   100 * fit.errors.pass_energy, 100 * fit.errors.best_time, 100 * fit.errors.best_energy));
  for (const auto& set : {published_set(tables->kernels), surface_set(fit)}) {
    const double seconds = policy::totals(set, {}).seconds;
    double last = 1;
    for (const double tolerance : {0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.6}) {
      CAPTURE(set.settings.size(), tolerance);
      const policy::KernelResult global = policy::plan_global(set, tolerance);
      test::GlpkProgram program;
      const int limit = program.row(-(1 + tolerance) * seconds);
      for (const policy::Kernel& kernel : set.kernels) {
        const int one = program.equal_row(1);
        for (const policy::KernelOption& option : kernel.options) {
          const int column = program.column(kernel.repeat * option.joules, 1);
          program.entry(limit, column, -kernel.repeat * option.seconds);
          program.entry(one, column, 1);
        }
      }
      if (tolerance <= 0.1) {
        // GLPK gives up on what is not better by 1e-7 (its tol_obj).
        const double whole = program.solve_whole();
        CHECK(global.totals.joules <= whole * (1 + 1e-9));
        CHECK(global.totals.joules >= whole * (1 - 2e-7));
      }
      CHECK(global.time_change <= tolerance + 1e-9);
      CHECK(global.energy_change <= policy::plan_local(set, tolerance).energy_change + 1e-12);
      CHECK(global.energy_change <= last);
      last = global.energy_change;
    }
  }
}

TEST_CASE("the saving of kernel plans against switch latency: the curve of results/kernel-dvfs-switch-latency.csv") {
  if (no_data()) return;
  const auto tables = kernel_tables(sources().data + "/training/kernel-dvfs");
  REQUIRE(tables);
  std::vector<Seconds> latencies;
  for (const double microseconds : {0.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 6e3, 15e3, 30e3, 60e3, 150e3})
    latencies.push_back(Seconds(microseconds * 1e-6));
  const auto fit = fitted_surfaces(*tables);
  const LatencyCurve curve = latency_curve(fit, 0.01, latencies);
  const std::string csv = latency_curve_csv(curve);
  fmt::print("{}", csv);
  const auto set = surface_set(fit);
  CHECK(curve.plans.front().plan == policy::plan_global(set, 0.01).plan);
  const double single = policy::plan_single_setting(set, 0.01).totals.joules;
  for (std::size_t i = 0; i < curve.plans.size(); ++i) {
    CHECK(curve.plans[i].time_change <= 0.01 + 1e-9);
    CHECK(curve.plans[i].totals.joules <= single);
    CHECK(curve.plans[i].bound_joules.value() <= curve.plans[i].totals.joules);
    if (i > 0) CHECK(curve.plans[i].totals.joules >= curve.plans[i - 1].totals.joules);
  }
  // The committed curve is this one; another compiler's fit may move it in the second decimal.
  std::ifstream committed("results/kernel-dvfs-switch-latency.csv");
  std::string line;
  REQUIRE(std::getline(committed, line));
  CHECK(csv.starts_with(line + "\n"));
  for (std::size_t i = 0; i < curve.plans.size(); ++i) {
    double latency = 0, time = 0, energy = 0;
    char comma = 0;
    REQUIRE(std::getline(committed, line));
    std::istringstream(line) >> latency >> comma >> time >> comma >> energy;
    CHECK(latency == Approx(1e6 * latencies[i].si()));
    CHECK(energy == Approx(100 * curve.plans[i].energy_change).margin(0.1));
  }
}
