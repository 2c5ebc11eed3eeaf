#include "report/iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "scenario/training_plan.hpp"
#include "training/job_fleet.hpp"

namespace joulecast::report {

namespace {

constexpr std::size_t kMostClasses = 8;

training::Spent spent_on(training::Pass pass) {
  switch (pass) {
    case training::Pass::forward:
      return training::Spent::forward;
    case training::Pass::optimizer:
      return training::Spent::optimizer;
    case training::Pass::gradient_sync:
      return training::Spent::communication;
    default:
      return training::Spent::backward;
  }
}

class Lanes final : public training::LaneSink {
 public:
  Lanes(Iteration& iteration, std::size_t lanes) : iteration_(iteration), lanes_(lanes) {}

  void work(std::size_t lane, const training::Operation& operation, FixedTime from, const training::OperatingPoint& point) override {
    add(lane, spent_on(operation.pass), from, point.time, point.clock.si(), point.energy);
  }
  void wait(std::size_t lane, training::Spent spent, FixedTime from, FixedTime length, FixedEnergy energy) override {
    add(lane, spent, from, length, 0, energy);
  }

 private:
  void add(std::size_t lane, training::Spent spent, FixedTime from, FixedTime length, double clock, FixedEnergy energy) {
    if (lane >= lanes_) return;
    iteration_.lane.push_back(static_cast<std::int32_t>(lane));
    iteration_.kind.push_back(static_cast<std::int32_t>(spent));
    iteration_.start_s.push_back(from.units());
    iteration_.duration_s.push_back(length.units());
    iteration_.clock_hz.push_back(clock);
    iteration_.joules.push_back(energy.units());
  }
  Iteration& iteration_;
  std::size_t lanes_;
};

}  // namespace

std::vector<Iteration> iterations_of(const scenario::Scenario& scenario, const scenario::Result& result) {
  std::vector<Iteration> all;
  for (std::size_t j = 0; j < result.jobs.size(); ++j) {
    const scenario::TrainingJob& job = scenario.jobs[j];
    const scenario::JobPlan& plan = *result.jobs[j].plan;
    training::Fleet fleet(plan.iteration, plan.plans, plan.classes, job.jitter, scenario.seed, "training/" + job.name);
    fleet.advance();
    Iteration iteration;
    iteration.job = job.name;
    for (int s = 0; s < training::kSpent; ++s) iteration.kinds.emplace_back(training::name(static_cast<training::Spent>(s)));
    const std::size_t classes = std::min(kMostClasses, fleet.classes().size());
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t s = 0; s < fleet.stages(); ++s) {
        iteration.lanes.push_back(classes == 1 ? fmt::format("stage {}", s) : fmt::format("replica {}, stage {}", fleet.classes()[c].first, s));
      }
    }
    Lanes lanes(iteration, iteration.lanes.size());
    fleet.tell(lanes, fleet.makespan());
    all.push_back(std::move(iteration));
  }
  return all;
}

}  // namespace joulecast::report
