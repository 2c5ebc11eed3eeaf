#include "control/clock_belief.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fit/least_squares.hpp"

namespace joulecast::control {

std::span<const ClockPoint> ClockBelief::between(Hertz least, Hertz most) const {
  const auto first = std::find_if(points.begin(), points.end(), [&](const ClockPoint& point) { return point.clock >= least; });
  const auto last = std::find_if(first, points.end(), [&](const ClockPoint& point) { return point.clock > most; });
  return {first, last};
}

ClockPoint fit_clock_point(Hertz clock, std::span<const ClockedStep> steps, double& worst_error) {
  // Where all decode steps have one count of sequences, it can't be told from the step: no figure of its own.
  std::optional<double> count;
  bool one_count = true;
  for (const ClockedStep& step : steps) {
    if (step.prompt_tokens > 0) continue;
    one_count = one_count && (!count || *count == step.sequences);
    count = step.sequences;
  }
  const std::vector<std::string> decode =
      one_count ? std::vector<std::string>{"step", "context"} : std::vector<std::string>{"step", "sequence", "context"};
  fit::Design decode_seconds(decode), decode_joules(decode);
  fit::Design prompt_seconds({"step", "token"}), prompt_joules({"step", "token"});
  for (const ClockedStep& step : steps) {
    const double seconds_weight = 1 / (step.seconds * step.seconds), joules_weight = 1 / (step.joules * step.joules);
    if (step.prompt_tokens > 0) {
      const std::array row{1.0, step.prompt_tokens};
      prompt_seconds.add(row, step.seconds, seconds_weight);
      prompt_joules.add(row, step.joules, joules_weight);
    } else {
      const std::vector<double> row = one_count ? std::vector{1.0, step.context} : std::vector{1.0, step.sequences, step.context};
      decode_seconds.add(row, step.seconds, seconds_weight);
      decode_joules.add(row, step.joules, joules_weight);
    }
  }
  ClockPoint point;
  point.clock = clock;
  const auto take = [](const fit::Design& design, double* to) {
    const auto found = fit::non_negative_least_squares(design, fit::Intercept::none);
    std::copy(found.coefficients.begin(), found.coefficients.end(), to);
  };
  take(decode_seconds, point.decode_seconds);
  take(decode_joules, point.decode_joules);
  if (one_count) {
    std::swap(point.decode_seconds[1], point.decode_seconds[2]);
    std::swap(point.decode_joules[1], point.decode_joules[2]);
  }
  take(prompt_seconds, point.prompt_seconds);
  take(prompt_joules, point.prompt_joules);
  for (const ClockedStep& step : steps) {
    const double believed = step.prompt_tokens > 0 ? point.prompt_s(step.prompt_tokens) : point.decode_s(step.sequences, step.context);
    worst_error = std::max(worst_error, std::abs(believed / step.seconds - 1));
  }
  return point;
}

}  // namespace joulecast::control
