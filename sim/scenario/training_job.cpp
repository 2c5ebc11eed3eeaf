#include "scenario/training_job.hpp"

namespace joulecast::scenario {

bool TrainingJob::splits_backward() const {
  if (own_schedule.empty()) return schedule == training::ScheduleKind::zero_bubble_h1;
  return own_schedule.front().find('I') != std::string::npos;
}

std::vector<std::vector<double>> TrainingJob::slowdown() const {
  const auto stages = static_cast<std::size_t>(layout.pipeline);
  std::vector<std::vector<double>> factors(static_cast<std::size_t>(layout.data), std::vector<double>(stages, 1));
  for (const Straggler& each : stragglers) {
    auto& replica = factors[static_cast<std::size_t>(each.replica)];
    for (std::size_t s = 0; s < stages; ++s) {
      if (!each.stage || static_cast<std::size_t>(*each.stage) == s) replica[s] /= each.speed_factor;
    }
  }
  return factors;
}

}  // namespace joulecast::scenario
