#include "calibration/chassis_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "config/node.hpp"
#include "fit/levenberg_marquardt.hpp"

namespace joulecast::calibration {
namespace {

fit::NonlinearFit search(std::span<const ChassisPoint> points, const metering::NodeOverhead& base, bool fans) {
  std::vector<fit::Parameter> start = {{"host", std::max(50.0, base.host.si()), 0, 20e3}};
  if (fans) start.push_back({"fans_peak", std::max(50.0, base.fans_peak.si()), 0, 10e3});
  return fit::levenberg_marquardt(start, points.size(), [&](std::span<const double> x, std::span<double> out) {
    metering::NodeOverhead node = base;
    node.host = Watts(x[0]);
    if (fans) node.fans_peak = Watts(x[1]);
    for (std::size_t i = 0; i < points.size(); ++i) out[i] = node.chassis_ac(Watts(points[i].gpu_watts)).si() / points[i].ac_watts - 1;
  });
}

metering::NodeOverhead fitted(metering::NodeOverhead node, const fit::NonlinearFit& found) {
  node.host = Watts(found.parameters[0]);
  if (found.parameters.size() > 1) node.fans_peak = Watts(found.parameters[1]);
  return node;
}

}  // namespace

std::vector<ChassisPoint> chassis_points(const StepSignal& gpus, const StepSignal& chassis, double seconds) {
  const auto step = static_cast<std::int64_t>(std::llround(seconds * 1e9));
  std::vector<ChassisPoint> points;
  for (std::int64_t t = std::max(gpus.begin_ns(), chassis.begin_ns()); t + step <= std::min(gpus.last_ns(), chassis.last_ns()); t += step) {
    const ChassisPoint point{gpus.mean(t, t + step), chassis.mean(t, t + step)};
    if (point.gpu_watts > 0 && point.ac_watts > 0) points.push_back(point);
  }
  return points;
}

ChassisFit fit_chassis(std::span<const ChassisPoint> points, const hardware::NodeProfile& base) {
  constexpr std::size_t kLeastPoints = 8;
  if (points.size() < kLeastPoints) {
    throw UserError({}, fmt::format("the chassis and the GPUs were logged together for {} stretches, too few", points.size()),
                    "log both at the same time for ten minutes, from idle to full load; check the time zones");
  }
  const metering::NodeOverhead node = base.overhead();
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(), [](const ChassisPoint& a, const ChassisPoint& b) { return a.gpu_watts < b.gpu_watts; });
  ChassisFit result;
  result.fans_fitted = node.fans_peak.si() > 0 && most->gpu_watts >= 2 * least->gpu_watts;
  const auto found = search(points, node, result.fans_fitted);
  result.host_watts = found.parameters[0];
  result.fans_peak_watts = result.fans_fitted ? found.parameters[1] : node.fans_peak.si();
  std::vector<double> predicted, measured;
  for (const ChassisPoint& point : points) {
    predicted.push_back(fitted(node, found).chassis_ac(Watts(point.gpu_watts)).si());
    measured.push_back(point.ac_watts);
  }
  const auto held = fit::held_out_predictions(points.size(), 5, [&](std::span<const std::size_t> train, std::span<const std::size_t> test) {
    std::vector<ChassisPoint> some;
    for (const std::size_t i : train) some.push_back(points[i]);
    const auto other = fitted(node, search(some, node, result.fans_fitted));
    std::vector<double> out;
    for (const std::size_t i : test) out.push_back(other.chassis_ac(Watts(points[i].gpu_watts)).si());
    return out;
  });
  result.quality = fit_quality(predicted, measured, held, measured);
  for (std::size_t i = 0; i < found.parameters.size(); ++i) {
    const fit::Interval range = found.covariance.interval(i, found.parameters[i], 0.8);
    result.figures.push_back({found.covariance.names()[i], "W", found.parameters[i], range.low, range.high, found.covariance.held(i)});
  }
  if (!result.fans_fitted && node.fans_peak.si() > 0) {
    result.refused.push_back({"fans", "the GPUs' power does not span a factor of two", "log from idle to full load"});
  }
  result.refused.push_back(
      {"the supplies' efficiency", "AC alone does not tell their loss from the host's draw", "read DC watts behind the supplies beside AC"});
  return result;
}

std::string chassis_profile(const ChassisFit& fit, const hardware::NodeProfile& base, const std::string& name, const std::string& gpu,
                            const std::string& source) {
  const std::string text =
      fmt::format("joulecast calibrate fit: {}; {} stretches, held out {:.2f} % median", source, fit.quality.rows, 100 * fit.quality.held_out.median);
  const auto figure = [&](const char* key, const FittedFigure& f) {
    const double width = std::isfinite(f.high) && f.value > 0 ? (f.high - f.low) / 2 / f.value : 0.2;
    return fmt::format("{} = {{ value = \"{:.1f} W\", source = {}, kind = \"calibrated\", error = \"{:.1f} %\" }}\n", key, f.value,
                       config::quoted(text), 100 * std::max({width, fit.quality.held_out.p80, 0.01}));
  };
  std::string out = fmt::format("# {}: host and fans fitted by `joulecast calibrate fit`; every other figure is that of {}.\n", name, base.name);
  for (const RefusedFigure& refused : fit.refused) out += fmt::format("# not given: {} ({}); {}\n", refused.name, refused.why, refused.measure);
  out += fmt::format("\nextends = {}\nname = {}\naliases = []\ngpu = {}\n",
                     config::quoted(std::filesystem::absolute(base.file).lexically_normal().string()), config::quoted(name), config::quoted(gpu));
  out += figure("host", fit.figures[0]);
  if (fit.fans_fitted) out += figure("fans_peak", fit.figures[1]);
  return out;
}

}  // namespace joulecast::calibration
