#include "training/job_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "training/replay.hpp"

namespace joulecast::training {

namespace {

bool in_tail(Pass pass) { return pass == Pass::gradient_sync || pass == Pass::optimizer; }

OperatingPoint stretched(const OperatingPoint& point, Stretching by) {
  OperatingPoint longer = point;
  longer.time = by(point.time);
  longer.energy = by(point.energy);
  longer.communication_time = by(point.communication_time);
  longer.communication_energy = by(point.communication_energy);
  longer.recompute_time = by(point.recompute_time);
  longer.recompute_energy = by(point.recompute_energy);
  return longer;
}

}  // namespace

Fleet::Fleet(const Iteration& iteration, std::vector<Plan> plans, std::vector<ReplicaClass> classes, double deviation, std::uint64_t seed,
             const std::string& name)
    : stages_(static_cast<std::size_t>(iteration.stages)), operations_(iteration.operations), classes_(std::move(classes)) {
  first_before_.assign(operations_.size() + 1, 0);
  for (const Dependency& each : iteration.dependencies) ++first_before_[static_cast<std::size_t>(each.after) + 1];
  for (std::size_t i = 0; i < operations_.size(); ++i) first_before_[i + 1] += first_before_[i];
  before_.resize(iteration.dependencies.size());
  std::vector<std::size_t> next(first_before_.begin(), first_before_.end() - 1);
  for (const Dependency& each : iteration.dependencies) before_[next[static_cast<std::size_t>(each.after)]++] = {each.before, each.delay};
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    (in_tail(operations_[i].pass) ? tail_ : body_).push_back(i);
    for (std::size_t b = first_before_[i]; b < first_before_[i + 1]; ++b) {
      const Pass pass = operations_[static_cast<std::size_t>(before_[b].operation)].pass;
      JOULECAST_CHECK(in_tail(operations_[i].pass) || !in_tail(pass), "a pass waits for a gradient synchronisation or an optimizer");
    }
  }
  for (const Watts watts : iteration.blocking) waiting_.emplace_back(watts);
  std::map<std::pair<std::size_t, std::vector<double>>, std::size_t> known;
  for (const ReplicaClass& each : classes_) {
    const auto [found, added] = known.emplace(std::pair{each.plan, each.slowdown}, cost_sets_.size());
    if (added) cost_sets_.push_back(costs(iteration, plans.at(each.plan), each.slowdown));
    cost_set_of_.push_back(found->second);
  }
  if (deviation > 0) {
    for (const ReplicaClass& each : classes_) {
      JOULECAST_CHECK(each.multiplicity() == 1, "replicas with jitter are not folded");
      jitters_.emplace_back(deviation, Stream(seed, fmt::format("{}/{}", name, each.first), "jitter"));
    }
  }
  runs_.resize(operations());
  ends_.resize(operations());
  ready_.resize(stages_);
  class_end_.resize(classes_.size());
}

Fleet::CostSet Fleet::costs(const Iteration& iteration, const Plan& plan, const std::vector<double>& slowdown) const {
  JOULECAST_CHECK(slowdown.size() == stages_, "a class of replicas has a speed a stage");
  CostSet set;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::uint32_t> known;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    const std::int32_t choice = plan.empty() ? 0 : plan[i];
    const auto [found, added] = known.emplace(std::tuple{operation.kind, choice, operation.stage}, static_cast<std::uint32_t>(set.points.size()));
    if (added) {
      const double factor = slowdown[static_cast<std::size_t>(operation.stage)];
      const bool scaled = operation.pass != Pass::gradient_sync;
      set.points.push_back(stretched(point_of(iteration, plan, i), scaled ? Stretching::of(factor) : Stretching{}));
    }
    set.of.push_back(found->second);
  }
  return set;
}

void Fleet::run_operation(std::size_t c, std::size_t i, FixedTime not_before) {
  const std::size_t base = c * operations_.size();
  Run& run = runs_[base + i];
  FixedTime start = not_before, sent = not_before;
  for (std::size_t b = first_before_[i]; b < first_before_[i + 1]; ++b) {
    const FixedTime out = ends_[base + static_cast<std::size_t>(before_[b].operation)];
    const FixedTime came = out + before_[b].delay;
    if (came > start) {
      start = came;
      sent = out;
    }
  }
  run.start = start;
  run.sent = sent;
  if (!jitters_.empty() && operations_[i].pass != Pass::gradient_sync) run.stretching = jitters_[c].next();
  ends_[base + i] = start + run.stretching(point(c, i).time);
}

void Fleet::advance() {
  if (known_) return;
  known_ = jitters_.empty();
  std::fill(ready_.begin(), ready_.end(), FixedTime{});
  makespan_ = {};
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    class_end_[c] = {};
    for (const std::size_t i : body_) {
      run_operation(c, i, {});
      const FixedTime end = ends_[c * operations_.size() + i];
      FixedTime& ready = ready_[static_cast<std::size_t>(operations_[i].stage)];
      ready = std::max(ready, end);
      class_end_[c] = std::max(class_end_[c], end);
    }
  }
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    for (const std::size_t i : tail_) {
      const auto stage = static_cast<std::size_t>(operations_[i].stage);
      run_operation(c, i, operations_[i].pass == Pass::gradient_sync ? ready_[stage] : FixedTime{});
      class_end_[c] = std::max(class_end_[c], ends_[c * operations_.size() + i]);
    }
    makespan_ = std::max(makespan_, class_end_[c]);
  }
}

void Fleet::tell(LaneSink& sink, FixedTime limit) const {
  for (std::size_t c = 0; c < classes_.size(); ++c) tell_class(c, sink, std::min(limit, makespan_));
}

}  // namespace joulecast::training
