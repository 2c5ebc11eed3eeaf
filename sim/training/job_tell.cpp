#include <algorithm>

#include "training/job_fleet.hpp"

namespace joulecast::training {

namespace {

/// What of a point lies in its first `part`.
OperatingPoint cut(const OperatingPoint& point, FixedTime part) {
  OperatingPoint first = point;
  first.time = part;
  first.energy = share(point.energy, part, point.time);
  first.communication_time = share(point.communication_time, part, point.time);
  first.communication_energy = share(point.communication_energy, part, point.time);
  first.recompute_time = share(point.recompute_time, part, point.time);
  first.recompute_energy = share(point.recompute_energy, part, point.time);
  return first;
}

/// One class's lanes: fills the time between operations with waits.
class Teller {
 public:
  Teller(LaneSink& sink, std::size_t first_lane, const std::vector<WaitingPower>& power, FixedTime limit)
      : sink_(sink), first_lane_(first_lane), power_(power), limit_(limit), covered_(power.size()), waited_(power.size()) {}

  void wait_until(std::size_t stage, Spent spent, FixedTime to) {
    const FixedTime from = covered_[stage];
    const FixedTime until = std::min(to, limit_);
    if (until <= from) return;
    const FixedTime length = until - from;
    sink_.wait(first_lane_ + stage, spent, from, length, power_[stage].of(waited_[stage], length));
    waited_[stage] += length;
    covered_[stage] = until;
  }

  void work(const Operation& operation, FixedTime from, const OperatingPoint& point) {
    const auto stage = static_cast<std::size_t>(operation.stage);
    const FixedTime left = limit_ - from;
    if (left <= FixedTime{} || point.time == FixedTime{}) return;
    const bool whole = point.time <= left;
    sink_.work(first_lane_ + stage, operation, from, whole ? point : cut(point, left));
    covered_[stage] = from + (whole ? point.time : left);
  }

 private:
  LaneSink& sink_;
  std::size_t first_lane_;
  const std::vector<WaitingPower>& power_;
  FixedTime limit_;
  std::vector<FixedTime> covered_, waited_;  ///< by stage
};

}  // namespace

void Fleet::tell_class(std::size_t c, LaneSink& sink, FixedTime limit) const {
  Teller teller(sink, c * stages_, waiting_, limit);
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    const auto stage = static_cast<std::size_t>(operation.stage);
    const Run& run = runs_[c * operations_.size() + i];
    if (operation.pass == Pass::gradient_sync) {
      teller.wait_until(stage, Spent::straggler_wait, run.start);
    } else {
      teller.wait_until(stage, Spent::bubble, run.sent);
      teller.wait_until(stage, Spent::communication, run.start);
    }
    if (run.stretching.one()) {
      teller.work(operation, run.start, point(c, i));
      continue;
    }
    OperatingPoint longer = point(c, i);
    longer.time = run.stretching(longer.time);
    longer.energy = run.stretching(longer.energy);
    longer.communication_time = run.stretching(longer.communication_time);
    longer.communication_energy = run.stretching(longer.communication_energy);
    longer.recompute_time = run.stretching(longer.recompute_time);
    longer.recompute_energy = run.stretching(longer.recompute_energy);
    teller.work(operation, run.start, longer);
  }
  for (std::size_t s = 0; s < stages_; ++s) {
    teller.wait_until(s, Spent::bubble, class_end_[c]);
    teller.wait_until(s, Spent::straggler_wait, makespan_);
  }
}

}  // namespace joulecast::training
