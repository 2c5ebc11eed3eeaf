#include "training/replay_account.hpp"

#include <algorithm>

#include "training/waiting.hpp"

namespace joulecast::training {

std::string_view name(Spent spent) {
  constexpr std::string_view names[] = {"forward", "backward", "recompute", "optimizer", "communication", "bubble", "straggler_wait"};
  return names[static_cast<int>(spent)];
}

FixedTime SpentAccount::total_time() const {
  FixedTime sum;
  for (const FixedTime each : time) sum += each;
  return sum;
}

FixedEnergy SpentAccount::total_energy() const {
  FixedEnergy sum;
  for (const FixedEnergy each : energy) sum += each;
  return sum;
}

SpentAccount& SpentAccount::operator+=(const SpentAccount& other) {
  for (std::size_t i = 0; i < kSpent; ++i) {
    time[i] += other.time[i];
    energy[i] += other.energy[i];
  }
  return *this;
}

SpentAccount operator*(std::int64_t multiplicity, const SpentAccount& one) {
  SpentAccount all;
  for (std::size_t i = 0; i < kSpent; ++i) {
    all.time[i] = multiplicity * one.time[i];
    all.energy[i] = multiplicity * one.energy[i];
  }
  return all;
}

void add_operation(SpentAccount& account, Pass pass, const OperatingPoint& point) {
  const auto add = [&account](Spent spent, FixedTime time, FixedEnergy energy) {
    account.time[static_cast<std::size_t>(spent)] += time;
    account.energy[static_cast<std::size_t>(spent)] += energy;
  };
  if (pass == Pass::gradient_sync) return add(Spent::communication, point.time, point.energy);
  add(Spent::communication, point.communication_time, point.communication_energy);
  add(Spent::recompute, point.recompute_time, point.recompute_energy);
  const Spent own = pass == Pass::forward ? Spent::forward : pass == Pass::optimizer ? Spent::optimizer : Spent::backward;
  add(own, point.time - point.communication_time - point.recompute_time, point.energy - point.communication_energy - point.recompute_energy);
}

std::vector<SpentAccount> account(const Iteration& iteration, const Plan& plan, const Replay& replay, std::optional<FixedTime> until) {
  const std::size_t count = iteration.operations.size();
  const auto stages = static_cast<std::size_t>(iteration.stages);
  // When an operation could have started but for a message, and when the message set out that arrives last.
  std::vector<FixedTime> arrival(count), set_out(count);
  for (const Dependency& each : iteration.dependencies) {
    const auto before = static_cast<std::size_t>(each.before), after = static_cast<std::size_t>(each.after);
    const FixedTime sent = replay.start[before] + point_of(iteration, plan, before).time;
    const FixedTime came = sent + each.delay;
    if (came > arrival[after]) {
      arrival[after] = came;
      set_out[after] = sent;
    }
  }
  std::vector<SpentAccount> accounts(stages);
  std::vector<FixedTime> covered(stages), waited(stages);
  const auto wait = [&](std::size_t stage, Spent spent, FixedTime length) {
    SpentAccount& own = accounts[stage];
    own.time[static_cast<std::size_t>(spent)] += length;
    own.energy[static_cast<std::size_t>(spent)] += WaitingPower(iteration.blocking[stage]).of(waited[stage], length);
    waited[stage] += length;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Operation& operation = iteration.operations[i];
    const auto stage = static_cast<std::size_t>(operation.stage);
    const FixedTime sent = std::clamp(set_out[i], covered[stage], replay.start[i]);
    wait(stage, Spent::bubble, sent - covered[stage]);
    wait(stage, Spent::communication, replay.start[i] - sent);
    const OperatingPoint& point = point_of(iteration, plan, i);
    add_operation(accounts[stage], operation.pass, point);
    covered[stage] = replay.start[i] + point.time;
  }
  for (std::size_t s = 0; s < stages; ++s) {
    wait(s, Spent::bubble, replay.makespan - covered[s]);
    if (until && *until > replay.makespan) wait(s, Spent::straggler_wait, *until - replay.makespan);
  }
  return accounts;
}

}  // namespace joulecast::training
