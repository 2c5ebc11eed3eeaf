#include "report/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "scenario/training_plan.hpp"
#include "training/job_fleet.hpp"
#include "training/schedule_text.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostClasses = 8;
/// Reserved colour names of trace viewers, from hot to cold.
constexpr const char* kColours[] = {"terrible", "rail_animation", "rail_idle",        "bad", "startup", "rail_load",
                                    "good",     "rail_response",  "light_memory_dump"};

double microseconds(FixedTime t) { return static_cast<double>(t.floor_nano()) / 1e3; }

/// A, B, .. Z, AA, AB, ..
std::string letters(std::size_t rank) {
  std::string text(1, static_cast<char>('A' + rank % 26));
  return rank < 26 ? text : letters(rank / 26 - 1) + text;
}

/// The clocks that occur in an iteration.
class Clocks final : public training::LaneSink {
 public:
  void work(std::size_t, const training::Operation&, FixedTime, const training::OperatingPoint& point) override { ranks_[point.clock.si()] = 0; }
  void wait(std::size_t, training::Spent, FixedTime, FixedTime, FixedEnergy) override {}
  void rank() {
    std::size_t next = 0;
    for (auto& [clock, rank] : ranks_) rank = next++;
  }
  std::size_t rank_of(Hertz clock) const { return ranks_.at(clock.si()); }
  const char* colour(Hertz clock) const {
    const std::size_t last = std::size(kColours) - 1;
    return kColours[ranks_.size() > 1 ? rank_of(clock) * last / (ranks_.size() - 1) : 0];
  }

 private:
  std::map<double, std::size_t, std::greater<>> ranks_;
};

class Events final : public training::LaneSink {
 public:
  Events(Json& events, const Clocks& clocks, std::size_t first_process, std::size_t stages)
      : events_(events), clocks_(clocks), first_process_(first_process), stages_(stages) {}

  void work(std::size_t lane, const training::Operation& operation, FixedTime from, const training::OperatingPoint& point) override {
    if (left_out(lane)) return;
    const double mhz = point.clock.si() * 1e-6;
    const std::string clock = fmt::format("{} {:g} MHz", letters(clocks_.rank_of(point.clock)), mhz);
    const std::string pass = operation.microbatch < 0
                                 ? (operation.pass == training::Pass::optimizer ? "optimizer" : "gradient sync")
                                 : text(training::Step{operation.pass, operation.chunk, operation.microbatch}, operation.chunk > 0);
    const double watts = point.energy.units() / point.time.units();
    slice(lane, clock, from, point.time, clocks_.colour(point.clock), {});
    slice(lane, pass, from, point.time, clocks_.colour(point.clock), {{"clock_mhz", mhz}, {"joules", point.energy.units()}, {"watts", watts}});
    counter(lane, from, watts);
  }
  void wait(std::size_t lane, training::Spent spent, FixedTime from, FixedTime length, FixedEnergy energy) override {
    if (left_out(lane)) return;
    slice(lane, std::string(training::name(spent)), from, length, "grey", {{"joules", energy.units()}});
    counter(lane, from, energy.units() / length.units());
  }

 private:
  bool left_out(std::size_t lane) const { return lane / stages_ >= kMostClasses; }
  void slice(std::size_t lane, const std::string& name, FixedTime from, FixedTime length, const char* colour, Json arguments) {
    const double begin = microseconds(from);
    Json event = {{"ph", "X"},
                  {"name", name},
                  {"pid", process(lane)},
                  {"tid", lane % stages_ + 1},
                  {"ts", begin},
                  {"dur", static_cast<double>((from + length).floor_nano() - from.floor_nano()) / 1e3},
                  {"cname", colour}};
    if (!arguments.empty()) event["args"] = std::move(arguments);
    events_.push_back(std::move(event));
  }
  void counter(std::size_t lane, FixedTime at, double watts) {
    events_.push_back({{"ph", "C"},
                       {"name", fmt::format("stage {} watts", lane % stages_)},
                       {"pid", process(lane)},
                       {"ts", microseconds(at)},
                       {"args", {{"watts", watts}}}});
  }
  std::size_t process(std::size_t lane) const { return first_process_ + lane / stages_; }

  Json& events_;
  const Clocks& clocks_;
  std::size_t first_process_, stages_;
};

void name_lanes(const scenario::TrainingJob& job, const training::Fleet& fleet, std::size_t first_process, Json& events) {
  for (std::size_t c = 0; c < std::min(kMostClasses, fleet.classes().size()); ++c) {
    const training::ReplicaClass& replicas = fleet.classes()[c];
    const std::string what = replicas.multiplicity() == 1 ? fmt::format("replica {}", replicas.first)
                                                          : fmt::format("{} replicas like {}", replicas.multiplicity(), replicas.first);
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", first_process + c}, {"args", {{"name", job.name + ", " + what}}}});
    for (std::size_t s = 0; s < fleet.stages(); ++s) {
      events.push_back(
          {{"ph", "M"}, {"name", "thread_name"}, {"pid", first_process + c}, {"tid", s + 1}, {"args", {{"name", fmt::format("stage {}", s)}}}});
    }
  }
}

}  // namespace

std::string timeline_json(const scenario::Scenario& scenario, const scenario::Result& result) {
  if (result.jobs.empty()) return {};
  Json events = Json::array();
  std::size_t process = 1;
  for (std::size_t j = 0; j < result.jobs.size(); ++j) {
    const scenario::TrainingJob& job = scenario.jobs[j];
    const scenario::JobPlan& plan = *result.jobs[j].plan;
    training::Fleet fleet(plan.iteration, plan.plans, plan.classes, job.jitter, scenario.seed, "training/" + job.name);
    fleet.advance();
    Clocks clocks;
    fleet.tell(clocks, fleet.makespan());
    clocks.rank();
    name_lanes(job, fleet, process, events);
    Events sink(events, clocks, process, fleet.stages());
    fleet.tell(sink, fleet.makespan());
    process += std::min(kMostClasses, fleet.classes().size());
  }
  return Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump() + "\n";
}

}  // namespace joulecast::report
