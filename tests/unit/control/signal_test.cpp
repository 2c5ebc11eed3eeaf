#include "control/signal.hpp"

#include <catch2/catch.hpp>

using namespace joulecast;
using namespace joulecast::control;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Time at(double s) { return Time{static_cast<std::int64_t>(s * 1e9)}; }

/// 10 from second 100 on, 20 from 160 on, 30 from 220 to 240.
std::shared_ptr<const traces::Series> steps() {
  auto series = std::make_shared<traces::Series>();
  series->start_ns = {100 * kSecond, 160 * kSecond, 220 * kSecond};
  series->value = {10, 20, 30};
  series->end_ns = 240 * kSecond;
  return series;
}

}  // namespace

TEST_CASE("a constant is the same for ever") {
  const Signal signal(0.5);
  CHECK(signal.at(Time{0}) == 0.5);
  CHECK(signal.next_change(Time{0}) == kForever);
  CHECK(signal.covered_until() == kForever);
  CHECK(signal.steps(at(10)).size() == 1);
}

TEST_CASE("a run that begins inside a series reads its steps, half open, in the scenario's currency") {
  const Signal signal(steps(), 130 * kSecond, false, 1.5);
  CHECK(signal.at(Time{0}) == 15);
  CHECK(signal.at(at(29.999)) == 15);
  CHECK(signal.at(at(30)) == 30);
  CHECK(signal.at(at(109)) == 45);
  CHECK(signal.at(at(500)) == 45);  // behind the end, the last
  CHECK(signal.next_change(Time{0}) == at(30));
  CHECK(signal.next_change(at(30)) == at(90));
  CHECK(signal.next_change(at(90)) == kForever);
  CHECK(signal.covered_until() == at(110));
  const auto all = signal.steps(at(100));
  REQUIRE(all.size() == 3);
  CHECK(all[1].from == at(30));
  CHECK(all[2].value == 45);
}

// The length of the series is 140 s: it begins anew at 240, 380, .. and before its start at -40.
TEST_CASE("a repeated series goes round by its own length, forward and backward") {
  const Signal late(steps(), 230 * kSecond, true);
  CHECK(late.at(Time{0}) == 30);
  CHECK(late.next_change(Time{0}) == at(10));
  CHECK(late.at(at(10)) == 10);
  CHECK(late.at(at(10 + 140)) == 10);
  CHECK(late.next_change(at(10)) == at(70));
  CHECK(late.covered_until() == kForever);
  CHECK(late.steps(at(300)).size() == 8);  // from 0, 10, 70, 130, 150, 210, 270, 290
  const Signal early(steps(), 0, true);    // 100 s before the first start: 40 s into the round before
  CHECK(early.at(Time{0}) == 10);
  CHECK(early.next_change(Time{0}) == at(20));
  CHECK(early.at(at(20)) == 20);
  CHECK(early.at(at(99)) == 30);
  CHECK(early.at(at(100)) == 10);
}

TEST_CASE("a policy without its signal is refused by name") {
  const Signal price(1);
  CHECK(&required_signal(&price, "follow_price", "price", "fra", {}) == &price);
  try {
    required_signal(nullptr, "follow_price", "price", "fra", {"s.toml", 9, 1});
    FAIL("no UserError");
  } catch (const UserError& error) {
    CHECK(error.faults().front().text().find("s.toml:9:1: policy \"follow_price\" needs the price of site \"fra\"") == 0);
  }
}
