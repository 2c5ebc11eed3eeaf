#include "calibration/measured_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hardware/measured_steps.hpp"

namespace joulecast::calibration {
namespace {

struct Sum {
  double batch = 0, seconds = 0, watts = 0;
  int points = 0;
};

MeasuredPoints refused(std::string why, std::string measure) { return {{}, 0, RefusedFigure{"measured steps", std::move(why), std::move(measure)}}; }

}  // namespace

MeasuredPoints measured_points(const MeasuredRun& run, const LogFit& fit) {
  std::map<long long, Sum> batches;
  for (const BatchPoint& point : fit.batch_points) {
    if (std::isnan(point.step_seconds) || std::isnan(point.watts) || point.sequences < 0.5) continue;
    Sum& sum = batches[std::llround(point.sequences)];
    sum.batch += point.sequences;
    sum.seconds += point.step_seconds;
    sum.watts += point.watts;
    ++sum.points;
  }
  if (batches.empty())
    return refused("no batch of the log has watts and a step time", "marks batch=N step_s=SECONDS, or the engine's log with --load");
  const double lock = fit.batch_lock.si(), reference = run.reference.si();
  if (lock > 0 && std::abs(lock / reference - 1) > 0.01) {
    return refused(fmt::format("the batches ran at {:.0f} MHz, and measured steps are of the profile's reference clock, {:.0f} MHz", lock / 1e6,
                               reference / 1e6),
                   "the batches without a lock, or locked at the reference clock");
  }
  MeasuredPoints result;
  result.batches = batches.size();
  const std::string engine = run.engine.empty() ? "" : run.engine + ", ";
  hardware::MeasuredSteps steps;
  steps.model = run.model;
  steps.gpu = run.gpu;
  steps.tensor_parallel_size = run.gpus;
  steps.source = "joulecast calibrate fit: " + engine + run.source;
  for (const auto& [whole, sum] : batches) {
    const double points = sum.points;
    steps.points.push_back(
        {sum.batch / points, Seconds(sum.seconds / points), Watts(run.gpus * sum.watts / points), run.prompt_tokens, run.output_tokens, {}});
  }
  result.text =
      "# Steps measured of one model: a pool of it on this GPU takes them (measured = \"FILE\").\n\n" + hardware::measured_steps_text(steps);
  return result;
}

}  // namespace joulecast::calibration
