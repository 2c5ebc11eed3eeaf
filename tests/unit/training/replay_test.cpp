#include "training/replay.hpp"

#include <catch2/catch.hpp>

#include "schedule_pipelines.hpp"
#include "training/replay_account.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

constexpr auto at(Spent spent) { return static_cast<std::size_t>(spent); }

/// Two stages, three microbatches, uneven stages, messages, synchronisation and optimizer, with exposed communication and recompute in the passes.
Iteration uneven() {
  IterationParts parts;
  const auto point = [](double s, double j, double communication, double recompute) {
    OperatingPoint p;
    p.clock = Hertz(1.4e9);
    p.time = time_of(s);
    p.energy = energy_of(j);
    p.communication_time = time_of(communication);
    p.communication_energy = energy_of(j * communication / s / 2);
    p.recompute_time = time_of(recompute);
    p.recompute_energy = energy_of(j * recompute / s);
    OperatingPoint slow = p;
    slow.clock = Hertz(1.0e9);
    slow.time = time_of(1.3 * s);
    slow.energy = energy_of(0.8 * j);
    return std::vector<OperatingPoint>{p, slow};
  };
  parts.costs = {point(0.31, 90, 0.04, 0),     point(0.77, 240, 0.08, 0.27), point(0.4, 117, 0.04, 0),
                 point(1.03, 321, 0.08, 0.36), point(0.2, 20, 0.2, 0),       point(0.1, 11, 0, 0)};
  parts.stages.resize(2);
  parts.stages[0].chunks = {{0, 1, -1, -1}};
  parts.stages[1].chunks = {{2, 3, -1, -1}};
  for (StageKinds& stage : parts.stages) {
    stage.gradient_sync = 4;
    stage.optimizer = 5;
  }
  parts.blocking = {Watts(83.64), Watts(84.1)};
  parts.forward_message = time_of(0.013);
  parts.backward_message = time_of(0.017);
  return build_iteration(make_schedule(ScheduleKind::one_f_one_b, {2, 3, 1}), parts);
}

}  // namespace

// E = sum e + P_block (T stages - sum t), P = 3 equal stages of F = B = 1 s at 100 W, waiting at 10 W, M = 2: T = (2 + 3 - 1) 2 = 8 s, 12 passes of 1
// s.
TEST_CASE("waiting stages draw blocking watts until the makespan, or the straggler") {
  const Iteration iteration = build_iteration(make_schedule(ScheduleKind::one_f_one_b, {3, 2, 1}), equal_stages(3, 1, 1, 0.5, 0.5));
  const Replay result = replay(iteration, {});
  CHECK(result.work == energy_of(1200));
  CHECK(result.blocking == energy_of(10 * (3 * 8 - 12)));
  CHECK(replay(iteration, {}, time_of(9)).blocking == energy_of(10 * (3 * 9 - 12)));
  CHECK(replay(iteration, {}, time_of(9)).makespan == result.makespan);
  CHECK(replay(iteration, {}, time_of(7)).total() == result.total());
}

TEST_CASE("a plan changes just the operations it names") {
  const Iteration iteration = uneven();
  const Replay fast = replay(iteration, {});
  Plan plan(iteration.operations.size(), 0);
  CHECK(replay(iteration, plan).total() == fast.total());
  plan.back() = 1;
  const Replay slow = replay(iteration, plan);
  CHECK(slow.work - fast.work == iteration.costs[5][1].energy - iteration.costs[5][0].energy);
  plan.assign(plan.size(), 1);
  CHECK(replay(iteration, plan).makespan > slow.makespan);
}

TEST_CASE("times and joules are split without a rest") {
  const Iteration iteration = uneven();
  for (const auto until : {std::optional<FixedTime>{}, std::optional(time_of(6.5))}) {
    for (const int point : {0, 1}) {
      const Plan plan(iteration.operations.size(), point);
      const Replay result = replay(iteration, plan, until);
      const auto accounts = account(iteration, plan, result, until);
      REQUIRE(accounts.size() == 2);
      FixedEnergy energy;
      for (const SpentAccount& each : accounts) {
        CHECK(each.total_time() == std::max(result.makespan, until.value_or(FixedTime{})));
        energy += each.total_energy();
      }
      CHECK(energy == replay(iteration, plan, until).total());
      CHECK(accounts[0].time[at(Spent::forward)] == 3 * (iteration.costs[0][static_cast<std::size_t>(point)].time - time_of(0.04)));
      CHECK(accounts[1].time[at(Spent::recompute)] == 3 * time_of(0.36));
      CHECK(accounts[1].time[at(Spent::optimizer)] == iteration.costs[5][static_cast<std::size_t>(point)].time);
      CHECK(accounts[0].time[at(Spent::straggler_wait)] == std::max(FixedTime{}, until.value_or(FixedTime{}) - result.makespan));
    }
  }
}

// Stage 1 idles F0 of stage 0 and the message (0.25 s) before its first pass; stage 0 idles until B0 of stage 1 has come, the last 0.5 s of it with
// the message under way.
TEST_CASE("a wait for a message under way is exposed communication, the rest is bubble") {
  IterationParts parts = equal_stages(2, 1, 1, 1, 1);
  parts.forward_message = time_of(0.25);
  parts.backward_message = time_of(0.5);
  const Iteration iteration = build_iteration(make_schedule(ScheduleKind::one_f_one_b, {2, 1, 1}), parts);
  const Replay result = replay(iteration, {});
  CHECK(result.makespan == time_of(6.75));
  const auto accounts = account(iteration, {}, result);
  CHECK(accounts[0].time[at(Spent::communication)] == time_of(0.5));
  CHECK(accounts[0].time[at(Spent::bubble)] == time_of(3.25));
  CHECK(accounts[1].time[at(Spent::communication)] == time_of(0.25));
  CHECK(accounts[1].time[at(Spent::bubble)] == time_of(3.5));
  CHECK(accounts[1].energy[at(Spent::bubble)] == energy_of(35));
}

// The bubble of 1F1B is (P - 1)(F + B) a stage whatever the stage: a share of (P - 1) / (M + P - 1) of the time.
TEST_CASE("the bubble is that of the closed form on every stage") {
  const Iteration iteration = build_iteration(make_schedule(ScheduleKind::one_f_one_b, {4, 6, 1}), equal_stages(4, 1, 0.2, 0.3, 0.1));
  for (const SpentAccount& each : account(iteration, {}, replay(iteration, {}))) {
    CHECK(each.time[at(Spent::bubble)] == 3 * (time_of(0.2) + time_of(0.3) + time_of(0.1)));
  }
}

TEST_CASE("multiplied accounts are the sum of equal ones") {
  const Iteration iteration = uneven();
  const auto accounts = account(iteration, {}, replay(iteration, {}));
  SpentAccount sum;
  for (int i = 0; i < 7; ++i) sum += accounts[1];
  CHECK((7 * accounts[1]).total_energy() == sum.total_energy());
  CHECK((7 * accounts[1]).time == sum.time);
}
