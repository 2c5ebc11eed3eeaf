#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "training/clock_planner.hpp"

namespace joulecast::policy {

/// What a job takes under one power limit.
struct PowerLimitPoint {
  Watts limit;
  Seconds time;
  Joules energy;
};

/// Zeus's four ways to choose a limit (You, Chung, Chowdhury: "Zeus", NSDI 2023, equation 2, and its optimizer's selectors). Each returns a position
/// in `points` (at least one), the first among equals.
std::size_t least_energy(std::span<const PowerLimitPoint> points);
std::size_t least_time(std::span<const PowerLimitPoint> points);
/// min eta*energy + (1 - eta)*P_max*time, P_max the highest limit of `points` times the GPUs that time is counted for.
std::size_t least_cost(std::span<const PowerLimitPoint> points, double eta_knob, int gpus = 1);
/// The lowest limit whose time is at most `factor` times that at the highest limit.
std::size_t lowest_within_slowdown(std::span<const PowerLimitPoint> points, double factor);

struct PowerLimitOptions {
  enum class Selector : unsigned char { energy, time, cost, max_slowdown };
  Selector selector = Selector::energy;
  double eta_knob = 0.5;
  double max_slowdown_factor = 1;
  std::vector<Watts> limits;  ///< of one GPU; at least one
};

/// One power limit for all GPUs, chosen by what the iteration takes under each.
class PowerLimit final : public training::ClockPlanner {
 public:
  explicit PowerLimit(PowerLimitOptions options) : options_(std::move(options)) {}
  training::PlanResult plan(const training::Iteration& iteration, FixedTime deadline) const override;
  /// The limit that `plan` has chosen, replays included.
  PowerLimitPoint chosen(const training::Iteration& iteration) const;

 private:
  std::size_t choose(const std::vector<PowerLimitPoint>& points, int gpus) const;
  PowerLimitOptions options_;
};

/// What a cap does to operations that are profiled at fixed clocks: each runs at the highest clock at which its mean watts are within `stage_limit`,
/// at its least-power point where none are. A cap above the watts recorded has no effect.
training::Plan plan_under_cap(const training::Iteration& iteration, Watts stage_limit);

}  // namespace joulecast::policy
