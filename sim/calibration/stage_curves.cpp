#include "calibration/stage_curves.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace joulecast::calibration {
namespace {

StageCurve fit_pass(const std::vector<traces::StageProfileRow>& rows, std::size_t every) {
  StageCurve result;
  std::vector<ClockPoint> fitted;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ClockPoint point{rows[i].clock, rows[i].time.si(), (rows[i].energy / rows[i].time).si()};
    result.points.push_back({point, 0, 0, i % every == 0});
    if (i % every == 0) fitted.push_back(point);
  }
  result.curve = fit_clock_curve(fitted, rows.front().clock, {});
  for (auto& point : result.points) {
    point.seconds = result.curve.seconds(point.measured.clock);
    point.watts = result.curve.watts(point.measured.clock);
  }
  return result;
}

FitQuality judge(const std::vector<StageCurve>& curves, double ClockPoint::*measured, double StageCurve::Point::*fitted) {
  std::vector<double> seen, seen_measured, held, held_measured;
  for (const StageCurve& curve : curves) {
    for (const StageCurve::Point& point : curve.points) {
      (point.fitted ? seen : held).push_back(point.*fitted);
      (point.fitted ? seen_measured : held_measured).push_back(point.measured.*measured);
    }
  }
  return fit_quality(seen, seen_measured, held, held_measured);
}

}  // namespace

StageCurves fit_stage_curves(const traces::StageProfile& profile, int every) {
  JOULECAST_CHECK(every >= 2, "nothing is held out");
  const std::size_t clocks = profile.stages.front().forward.size();
  constexpr std::size_t kLeastFitted = 3;
  if ((clocks + static_cast<std::size_t>(every) - 1) / static_cast<std::size_t>(every) < kLeastFitted) {
    throw UserError({profile.file, 0, 0}, fmt::format("{} clocks, of which each {}th is fitted on, are too few for a curve", clocks, every),
                    "profile more clocks, or fit on more of them with a smaller --every");
  }
  StageCurves result;
  for (std::size_t stage = 0; stage < profile.stages.size(); ++stage) {
    for (const bool forward : {true, false}) {
      StageCurve curve = fit_pass(forward ? profile.stages[stage].forward : profile.stages[stage].backward, static_cast<std::size_t>(every));
      curve.stage = static_cast<int>(stage);
      curve.pass = forward ? "forward" : "backward";
      result.curves.push_back(std::move(curve));
    }
  }
  result.time = judge(result.curves, &ClockPoint::seconds, &StageCurve::Point::seconds);
  result.power = judge(result.curves, &ClockPoint::watts, &StageCurve::Point::watts);
  return result;
}

}  // namespace joulecast::calibration
