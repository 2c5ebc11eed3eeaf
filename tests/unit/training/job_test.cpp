#include "training/job.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "engine/simulation.hpp"
#include "metering/ledger.hpp"
#include "schedule_pipelines.hpp"
#include "training/replay.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

constexpr std::size_t at(Spent spent) { return static_cast<std::size_t>(spent); }
constexpr std::size_t at(metering::State state) { return static_cast<std::size_t>(state); }

/// 4 stages, 6 microbatches, messages, a gradient synchronisation of 0.4 s and an optimizer of 0.2 s; stage 2 is slower.
Iteration pipeline() {
  IterationParts parts = equal_stages(4, 1, 0.21, 0.33, 0.15);
  parts.costs.push_back(one_point(0.4));
  parts.costs.push_back(one_point(0.2));
  parts.costs.push_back(one_point(0.29));
  parts.costs[3][0].recompute_time = time_of(0.17);
  parts.costs[3][0].recompute_energy = energy_of(16.5);
  parts.costs[0][0].communication_time = time_of(0.03);
  parts.costs[0][0].communication_energy = energy_of(2.25);
  parts.stages[2].chunks[0].forward = 6;
  for (StageKinds& stage : parts.stages) {
    stage.gradient_sync = 4;
    stage.optimizer = 5;
  }
  parts.forward_message = time_of(0.011);
  parts.backward_message = time_of(0.012);
  return build_iteration(make_schedule(ScheduleKind::one_f_one_b, {4, 6, 1}), parts);
}

std::vector<std::vector<double>> sound(int replicas) {
  return std::vector<std::vector<double>>(static_cast<std::size_t>(replicas), std::vector<double>(4, 1));
}

struct Outcome {
  metering::EnergyAccount energy;
  JobStatistics statistics;
};

/// Runs a job on GPUs of its own, two a stage, a node a lane.
Outcome run(const Iteration& iteration, std::vector<ReplicaClass> classes, double deviation, std::int64_t iterations, Time start, Time end,
            std::vector<Plan> plans = {{}}) {
  metering::Ledger ledger(span_from_seconds(1), 1.25);
  JobClasses ids;
  ids.forward = ledger.register_class("forward");
  ids.backward = ledger.register_class("backward");
  ids.recompute = ledger.register_class("recompute");
  ids.optimizer = ledger.register_class("optimizer");
  ids.communication = ledger.register_class("communication");
  const auto pool = ledger.add_pool("job");
  Fleet fleet(iteration, std::move(plans), std::move(classes), deviation, 7, "training/job");
  std::vector<std::vector<JobDevice>> devices;
  for (std::size_t lane = 0; lane < fleet.lanes(); ++lane) {
    const int gpus = static_cast<int>(2 * fleet.multiplicity(lane));
    const auto node = ledger.add_node("node", gpus, {});
    devices.push_back({{&ledger.add_device("lane", pool, node, gpus), fleet.multiplicity(lane)}});
  }
  engine::Simulation simulation;
  Job* job =
      simulation.add_new<Job>("training/job", engine::Level::decode, JobSetup{std::move(fleet), devices, ids, Watts(50), start, iterations}).second;
  engine::RunOptions options;
  options.horizon = end;
  const auto stats = simulation.run(options);
  return {ledger.close(stats.end, {}), job->statistics()};
}

Time seconds(double s) { return Time{span_from_seconds(s).ns}; }

}  // namespace

// One replica without jitter does what the replay says, iteration after iteration; the ledger's audit is on.
TEST_CASE("a job is its replay, repeated") {
  const Iteration iteration = pipeline();
  const Replay one = replay(iteration, {});
  const auto accounts = account(iteration, {}, one);
  const Outcome outcome = run(iteration, fold(sound(1), false), 0, 5, seconds(3), seconds(120));
  CHECK(outcome.statistics.iterations == 5);
  CHECK(outcome.statistics.finished);
  CHECK(outcome.statistics.time == 5 * one.makespan);
  CHECK(outcome.statistics.spent.total_energy() == 5 * one.total());
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK(outcome.statistics.stages[s].time == (5 * accounts[s]).time);
    CHECK(outcome.statistics.stages[s].energy == (5 * accounts[s]).energy);
  }
  // 8 GPUs idle at 50 W outside the five iterations.
  const double idle = 8 * 50 * (120 - 5 * one.makespan.units());
  CHECK(1e-9 * static_cast<double>(outcome.energy.state_nanojoules[at(metering::State::bare_idle)]) == Approx(idle).epsilon(1e-12));
  CHECK(outcome.energy.joules[0] == Approx(idle + 5 * one.total().units()).epsilon(1e-12));
}

// A second holds the passes that lie in it, in proportion to time: the first 0.21 s of stage 0 are a forward pass at 100 W.
TEST_CASE("bins within an iteration are exact") {
  const Iteration iteration = pipeline();
  const Outcome outcome = run(iteration, fold(sound(1), false), 0, 1, seconds(0), seconds(20));
  const Replay one = replay(iteration, {});
  std::vector<double> joules(20, 0);
  for (std::size_t i = 0; i < iteration.operations.size(); ++i) {
    const OperatingPoint& point = point_of(iteration, {}, i);
    for (std::size_t bin = 0; bin < joules.size(); ++bin) {
      const double from = std::max(one.start[i].units(), static_cast<double>(bin));
      const double to = std::min((one.start[i] + point.time).units(), static_cast<double>(bin) + 1);
      if (to > from) joules[bin] += (to - from) * (point.energy.units() / point.time.units() - 10);
    }
  }
  const double end = one.makespan.units();
  for (std::size_t bin = 0; bin < joules.size(); ++bin) {
    const double within = std::clamp(end - static_cast<double>(bin), 0.0, 1.0);
    joules[bin] += 4 * 10 * within + 8 * 50 * (1 - within);
    CAPTURE(bin);
    CHECK(outcome.energy.watts[0][bin] == Approx(joules[bin]).epsilon(1e-6));
  }
}

TEST_CASE("folded replicas are unfolded ones, to the bit") {
  const Iteration iteration = pipeline();
  auto speeds = sound(6);
  speeds[4] = {1, 1.2, 1, 1};
  for (const double end : {200.0, 23.456789}) {
    const Outcome folded = run(iteration, fold(speeds, false), 0, 4, seconds(1), seconds(end));
    const Outcome unfolded = run(iteration, fold(speeds, true), 0, 4, seconds(1), seconds(end));
    CHECK(fold(speeds, false).size() == 2);
    CHECK(folded.statistics.spent.time == unfolded.statistics.spent.time);
    CHECK(folded.statistics.spent.energy == unfolded.statistics.spent.energy);
    CHECK(folded.statistics.time == unfolded.statistics.time);
    // The ledger's whole nanojoules are rounded down a device: at most one a lane apart.
    for (const auto state : {metering::State::bare_idle, metering::State::active, metering::State::spin_wait}) {
      CHECK(std::abs(folded.energy.state_nanojoules[at(state)] - unfolded.energy.state_nanojoules[at(state)]) <= 24);
    }
  }
}

// Everybody's synchronisation of stage 1 starts when the slow replica's stage 1 is done; the others wait as long as they were sooner.
TEST_CASE("gradient synchronisation waits for the straggler, stage by stage") {
  const Iteration iteration = pipeline();
  auto speeds = sound(3);
  speeds[2] = {1.25, 1.25, 1.25, 1.25};
  const Outcome outcome = run(iteration, fold(speeds, false), 0, 1, seconds(0), seconds(60));
  const Outcome alone = run(iteration, fold({speeds[2]}, false), 0, 1, seconds(0), seconds(60));
  CHECK(outcome.statistics.time == alone.statistics.time);
  CHECK(alone.statistics.spent.time[at(Spent::straggler_wait)] == FixedTime{});
  const Replay fast = replay(iteration, {});
  FixedTime waits;
  std::vector<FixedTime> slow_start(4), fast_start(4);
  const Fleet fleet = [&] {
    Fleet made(iteration, {{}}, fold({speeds[2]}, false), 0, 7, "job");
    made.advance();
    return made;
  }();
  struct Starts final : LaneSink {
    std::vector<FixedTime>& start;
    explicit Starts(std::vector<FixedTime>& into) : start(into) {}
    void work(std::size_t lane, const Operation& operation, FixedTime from, const OperatingPoint&) override {
      if (operation.pass == Pass::gradient_sync) start[lane] = from;
    }
    void wait(std::size_t, Spent, FixedTime, FixedTime, FixedEnergy) override {}
  } starts(slow_start);
  fleet.tell(starts, fleet.makespan());
  for (std::size_t i = 0; i < iteration.operations.size(); ++i) {
    if (iteration.operations[i].pass == Pass::gradient_sync) fast_start[static_cast<std::size_t>(iteration.operations[i].stage)] = fast.start[i];
  }
  // A quicker optimizer ends sooner than the slow one by a quarter of 0.2 s.
  for (std::size_t s = 0; s < 4; ++s) waits += 2 * (slow_start[s] - fast_start[s]);
  const FixedTime told = outcome.statistics.spent.time[at(Spent::straggler_wait)];
  CHECK(told >= waits);
  CHECK(told - waits <= 2 * 4 * time_of(0.05));
  CHECK(waits > FixedTime{});
}

TEST_CASE("every lane's time adds up to the iteration's") {
  const Iteration iteration = pipeline();
  auto speeds = sound(5);
  speeds[1][3] = 1.1;
  for (const double deviation : {0.0, 0.07}) {
    const Outcome outcome = run(iteration, fold(speeds, deviation > 0), deviation, 3, seconds(0), seconds(100));
    CHECK(outcome.statistics.spent.total_time() == 5 * 4 * outcome.statistics.time);
    FixedEnergy stages;
    for (const SpentAccount& stage : outcome.statistics.stages) stages += stage.total_energy();
    CHECK(stages == outcome.statistics.spent.total_energy());
  }
}

// A lognormal factor of mean 1: sums over many operations keep their mean; the slowest of many replicas is later than one alone.
TEST_CASE("jitter keeps the mean of work and delays the iteration") {
  const Iteration iteration = pipeline();
  const Outcome still = run(iteration, fold(sound(8), true), 0, 40, seconds(0), seconds(1000));
  const Outcome moved = run(iteration, fold(sound(8), true), 0.1, 40, seconds(0), seconds(1000));
  const auto forward = [](const Outcome& outcome) { return outcome.statistics.spent.time[at(Spent::forward)].units(); };
  // 7,680 forward passes: the mean's standard error is 0.1 / sqrt(7680) = 0.11 %.
  CHECK(forward(moved) == Approx(forward(still)).epsilon(0.0045));
  CHECK(moved.statistics.time > still.statistics.time);
  CHECK(moved.statistics.longest > moved.statistics.shortest);
  // Watts stay: a forward pass of 0.21 s takes 21 J whatever its length.
  CHECK(moved.statistics.spent.energy[at(Spent::optimizer)].units() / moved.statistics.spent.time[at(Spent::optimizer)].units() ==
        Approx(100).epsilon(1e-9));
}

TEST_CASE("a replica's jitter does not depend on its neighbours") {
  const Iteration iteration = pipeline();
  const auto classes = fold(sound(3), true);
  struct Lengths final : LaneSink {
    std::map<std::size_t, std::vector<int128>> lengths;
    void work(std::size_t lane, const Operation&, FixedTime, const OperatingPoint& point) override { lengths[lane].push_back(point.time.raw); }
    void wait(std::size_t, Spent, FixedTime, FixedTime, FixedEnergy) override {}
  } three, one;
  Fleet all(iteration, {{}}, classes, 0.05, 11, "job"), last(iteration, {{}}, {classes[2]}, 0.05, 11, "job");
  all.advance();
  last.advance();
  all.tell(three, all.makespan());
  last.tell(one, last.makespan());
  CHECK(three.lengths[2 * 4 + 1] == one.lengths[1]);
  CHECK(three.lengths[1] != three.lengths[4 + 1]);
}

// The run ends within the third iteration: what has passed of it is charged, and it is not counted.
TEST_CASE("a job is cut where the run ends") {
  const Iteration iteration = pipeline();
  const Replay one = replay(iteration, {});
  const double end = 2.4 * one.makespan.units();
  const Outcome outcome = run(iteration, fold(sound(2), false), 0.0, 9, seconds(0), seconds(end));
  CHECK(outcome.statistics.iterations == 2);
  CHECK_FALSE(outcome.statistics.finished);
  CHECK(outcome.energy.joules[0] > 2 * 2 * one.total().units());
  CHECK(outcome.energy.joules[0] < 2 * 3 * one.total().units());
  CHECK(outcome.energy.state_nanojoules[at(metering::State::bare_idle)] == 0);
}

TEST_CASE("a job that never begins is idle") {
  const Outcome outcome = run(pipeline(), fold(sound(1), false), 0, 9, seconds(50), seconds(10));
  CHECK(outcome.statistics.iterations == 0);
  CHECK(outcome.energy.joules[0] == 8 * 50 * 10);
}

TEST_CASE("replicas of their own plan") {
  Iteration iteration = pipeline();
  OperatingPoint slow = iteration.costs[0][0];
  slow.time = time_of(0.3);
  slow.energy = energy_of(15);
  iteration.costs[0].push_back(slow);
  Plan plan(iteration.operations.size(), 0);
  std::int64_t slowed = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (iteration.operations[i].kind == 0) {
      plan[i] = 1;
      ++slowed;
    }
  }
  auto classes = fold(sound(2), true);
  classes[1].plan = 1;
  const Outcome outcome = run(iteration, classes, 0, 1, seconds(0), seconds(60), {{}, plan});
  const Outcome first = run(iteration, fold(sound(2), true), 0, 1, seconds(0), seconds(60));
  const auto forward = [](const Outcome& each) { return each.statistics.spent.time[at(Spent::forward)]; };
  CHECK(forward(outcome) - forward(first) == slowed * (time_of(0.3) - time_of(0.21)));
}
