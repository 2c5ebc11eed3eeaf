#include "training/schedule.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "schedule_pipelines.hpp"
#include "training/replay.hpp"
#include "training/schedule_text.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

FixedTime makespan(ScheduleKind kind, ScheduleShape shape, double f, double i, double w) {
  const Schedule schedule = make_schedule(kind, shape);
  return replay(build_iteration(schedule, equal_stages(shape.stages, shape.chunks, f, i, w)), {}).makespan;
}

std::string line(const std::vector<Step>& steps, bool chunks) {
  std::string words;
  for (const Step& step : steps) words += (words.empty() ? "" : " ") + text(step, chunks);
  return words;
}

}  // namespace

// Every microbatch passes P stages forwards and back; the slowest path is M + P - 1 forwards and as many backwards (Narayanan et al., SC 2021,
// section 2.2).
TEST_CASE("GPipe and 1F1B take (M + P - 1)(F + B), to the digit") {
  for (const auto& [stages, microbatches] : {std::pair{1, 1}, {1, 7}, {2, 1}, {4, 3}, {8, 32}, {7, 5}, {16, 16}}) {
    CAPTURE(stages, microbatches);
    const FixedTime expected = std::int64_t{microbatches + stages - 1} * (time_of(0.05) + time_of(0.07) + time_of(0.03));
    CHECK(makespan(ScheduleKind::gpipe, {stages, microbatches, 1}, 0.05, 0.07, 0.03) == expected);
    CHECK(makespan(ScheduleKind::one_f_one_b, {stages, microbatches, 1}, 0.05, 0.07, 0.03) == expected);
  }
}

// The bubble shrinks by the number of chunks: (P - 1)(F + B) / v with F, B over all chunks of a stage (Narayanan et al., SC 2021, section 2.2.2), a
// share of (P - 1) / (v M) of the time without a bubble.
TEST_CASE("the interleaved bubble is 1/v of 1F1B's") {
  for (const auto& [stages, microbatches, chunks] : {std::array{4, 8, 2}, {4, 4, 2}, {8, 64, 3}, {2, 6, 4}, {1, 3, 2}}) {
    CAPTURE(stages, microbatches, chunks);
    const FixedTime chunk = time_of(0.02) + time_of(0.03) + time_of(0.01);
    const FixedTime expected = std::int64_t{microbatches} * chunks * chunk + std::int64_t{stages - 1} * chunk;
    CHECK(makespan(ScheduleKind::interleaved, {stages, microbatches, chunks}, 0.02, 0.03, 0.01) == expected);
  }
}

// Qi et al., ICLR 2024, table 1: ZB-H1's bubble is (P - 1)(F + B - W) where 1F1B's is (P - 1)(F + B + W), B the input part; a third for F = B = W.
TEST_CASE("ZB-H1 leaves a bubble of (P - 1)(F + B - W)") {
  for (const auto& [stages, microbatches] : {std::pair{4, 8}, {8, 32}, {8, 8}, {2, 6}, {1, 4}}) {
    for (const auto& [f, i, w] : {std::array{1.0, 1.0, 1.0}, {1.0, 1.2, 0.8}, {1.0, 1.0, 0.5}, {2.0, 1.0, 1.0}}) {
      CAPTURE(stages, microbatches, f, i, w);
      const FixedTime expected =
          std::int64_t{microbatches} * (time_of(f) + time_of(i) + time_of(w)) + std::int64_t{stages - 1} * (time_of(f) + time_of(i) - time_of(w));
      CHECK(makespan(ScheduleKind::zero_bubble_h1, {stages, microbatches, 1}, f, i, w) == expected);
    }
  }
}

// Huang et al., figure 2 c; Narayanan et al., figures 3 and 4; Qi et al., figure 3.
TEST_CASE("the orders are those of the papers' figures") {
  CHECK(line(make_schedule(ScheduleKind::gpipe, {4, 3, 1})[2], false) == "F0 F1 F2 B2 B1 B0");
  const Schedule one = make_schedule(ScheduleKind::one_f_one_b, {4, 8, 1});
  CHECK(line(one[0], false) == "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
  CHECK(line(one[3], false) == "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
  const Schedule chunked = make_schedule(ScheduleKind::interleaved, {4, 8, 2});
  CHECK(line(chunked[3], true).substr(0, 49) == "F0.0 F1.0 F2.0 F3.0 F0.1 B0.1 F1.1 B1.1 F2.1 B2.1");
  const Schedule zero = make_schedule(ScheduleKind::zero_bubble_h1, {4, 8, 1});
  CHECK(line(zero[0], false).substr(0, 26) == "F0 F1 F2 F3 I0 W0 F4 I1 W1");
  CHECK(line(zero[3], false) == "F0 I0 F1 I1 F2 I2 F3 I3 W0 F4 I4 W1 F5 I5 W2 F6 I6 W3 F7 I7 W4 W5 W6 W7");
}

// 1F1B holds P - s microbatches on stage s, GPipe all of them; ZB-H1 no more than 1F1B's first stage (Qi et al., section 2.1).
TEST_CASE("activations in flight are bounded as published") {
  const Schedule one = make_schedule(ScheduleKind::one_f_one_b, {4, 8, 1});
  const Schedule zero = make_schedule(ScheduleKind::zero_bubble_h1, {4, 8, 1});
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK(peak_in_flight(one[s], 1) == static_cast<double>(4 - s));
    CHECK(peak_in_flight(zero[s], 1) == 4);
    CHECK(peak_in_flight(make_schedule(ScheduleKind::gpipe, {4, 8, 1})[s], 1) == 8);
  }
  // Narayanan et al., section 2.2.2: 1 + (P - 1) / (P v) times 1F1B's on the first stage.
  CHECK(peak_in_flight(make_schedule(ScheduleKind::interleaved, {4, 8, 2})[0], 2) == Approx(4 * (1 + 3.0 / 8)));
}

TEST_CASE("names are found again") {
  for (int k = 0; k < kScheduleKinds; ++k) {
    const auto kind = static_cast<ScheduleKind>(k);
    CHECK(schedule_kind(name(kind)) == kind);
  }
  CHECK_FALSE(schedule_kind("1f1b-flush"));
}

TEST_CASE("a schedule that cannot be is refused by name") {
  using Catch::Contains;
  CHECK_THAT(fault_of([] {
               make_schedule(ScheduleKind::interleaved, {4, 6, 2});
             }),
             Contains("6 microbatches cannot be divided among 4 stages") && Contains("multiple of 4"));
  CHECK_THAT(fault_of([] { make_schedule(ScheduleKind::interleaved, {4, 8, 1}); }), Contains("with 1 chunk a stage"));
  CHECK_THAT(fault_of([] { make_schedule(ScheduleKind::one_f_one_b, {4, 8, 2}); }), Contains("2 chunks a stage in a 1f1b schedule"));
  CHECK_THAT(fault_of([] { make_schedule(ScheduleKind::gpipe, {0, 8, 1}); }), Contains("0 stages"));
  CHECK_THAT(fault_of([] { make_schedule(ScheduleKind::gpipe, {4, 0, 1}); }), Contains("0 microbatches"));
}

TEST_CASE("a hand-written schedule is read as it was printed") {
  const Schedule made = make_schedule(ScheduleKind::interleaved, {2, 4, 2});
  const Schedule read = parse_schedule({line(made[0], true), line(made[1], true)});
  CHECK(read == made);
  const ScheduleShape shape = shape_of(read);
  CHECK(shape.stages == 2);
  CHECK(shape.microbatches == 4);
  CHECK(shape.chunks == 2);
}

TEST_CASE("faults of a hand-written schedule are named") {
  using Catch::Contains;
  const auto fault = [](std::vector<std::string> stages) { return fault_of([&] { parse_schedule(stages); }); };
  CHECK_THAT(fault({"F0 B0", "F0 X0"}), Contains("stage 1") && Contains("\"X0\" is no step"));
  CHECK_THAT(fault({"F0 B0", "F0 B-1"}), Contains("\"B-1\" is no step"));
  CHECK_THAT(fault({"F0 B0", "F0 B0.x"}), Contains("\"B0.x\" is no step"));
  CHECK_THAT(fault({"F0 F0 B0"}), Contains("runs F0 twice"));
  CHECK_THAT(fault({"F0 B0", ""}), Contains("stage 1 of the schedule has no steps"));
  CHECK_THAT(fault({"F0 B0 F1 B1", "F0 B0"}), Contains("dangling dependency: stage 0 runs F1 and stage 1 does not"));
  CHECK_THAT(fault({"F0 B0", "B0 F0 F1"}), Contains("no one backward pass for F1"));
  CHECK_THAT(fault({"B0"}), Contains("runs B0 without its forward pass"));
  CHECK_THAT(fault({}), Contains("without stages"));
}
