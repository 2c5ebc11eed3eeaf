#include "validation/schedules.hpp"

#include <utility>

#include "training/graph.hpp"
#include "training/replay.hpp"

namespace joulecast::validation {

namespace {

/// Seconds of a 1F1B iteration on equal stages without messages.
double one_f_one_b(std::int32_t stages, std::int32_t microbatches, double forward, double backward) {
  training::IterationParts parts;
  for (const double seconds : {forward, backward}) {
    training::OperatingPoint point;
    point.time = FixedTime::from_units(seconds);
    parts.costs.push_back({point});
  }
  training::StageKinds stage;
  stage.chunks = {{0, 1, -1, -1}};
  parts.stages.assign(static_cast<std::size_t>(stages), stage);
  parts.blocking.resize(static_cast<std::size_t>(stages));
  const training::Schedule schedule = training::make_schedule(training::ScheduleKind::one_f_one_b, {stages, microbatches, 1});
  // Whole nanoseconds: divided, not multiplied by 1e-9, so that 5.85 s is the double 5.85.
  return static_cast<double>(training::replay(training::build_iteration(schedule, parts), {}).makespan.floor_nano()) / 1e9;
}

}  // namespace

Comparison schedule_1f1b() {
  Entry entry{"training.schedule.1f1b", "(M+P-1)(F+B), P 8 M 32 F 0.05 B 0.1, no communication", "closed form", 5.85, "s", "0", Kind::exact};
  return {{std::move(entry)}, [](const Sources&) -> std::optional<std::vector<Ours>> {
            return std::vector<Ours>{{one_f_one_b(8, 32, 0.05, 0.1), {}}};
          }};
}

}  // namespace joulecast::validation
