#include "calibration/log_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "config/node.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kLeastError = 0.01;

std::string figure(const std::string& key, const std::string& value, const std::string& source, const char* kind, double error) {
  return fmt::format("{} = {{ value = {}, source = {}, kind = \"{}\", error = \"{:.1f} %\" }}\n", key, value, config::quoted(source), kind,
                     100 * std::max(error, kLeastError));
}

std::string log_text(const traces::LogSource& source) {
  return fmt::format("{} (sha256 {}), {} rows", std::filesystem::path(source.file).filename().string(), source.sha256.substr(0, 12), source.rows);
}

std::string comments(const LogFitRequest& request, const LogFit& fit, const std::vector<std::string>& load_sources) {
  const traces::LogSource& source = request.log->source;
  std::string text = fmt::format("# log: {}, format {}\n", log_text(source), source.format);
  for (const auto& [reason, count] : source.dropped) text += fmt::format("# rows left out: {} {}\n", count, reason);
  for (const auto& [reason, count] : fit.phases.dropped) text += fmt::format("# phases left out: {} {}\n", count, reason);
  for (const std::string& load : load_sources) text += "# beside it: " + load + "\n";
  if (!source.driver.empty()) text += "# driver: " + source.driver + "\n";
  for (const std::string& note : fit.sensor.notes) text += "# sensor: " + note + "\n";
  for (const std::string& note : fit.notes) text += "# " + note + "\n";
  for (const std::string& warning : fit.warnings) text += "# warning: " + warning + "\n";
  for (const RefusedFigure& refused : fit.refused) text += fmt::format("# not given: {} ({}); {}\n", refused.name, refused.why, refused.measure);
  return text;
}

std::string idle_table(const LogFitRequest& request, const LogFit& fit) {
  std::string text;
  const auto add = [&](const char* key, const std::optional<FloorFit>& floor) {
    if (!floor) return;
    const std::string source = fmt::format("joulecast calibrate fit: {}; {} phase{}, {:.0f} s, spread {:.1f} W", log_text(request.log->source),
                                           floor->phases, floor->phases == 1 ? "" : "s", floor->seconds, floor->spread);
    text += figure(key, fmt::format("\"{:.2f} W\"", floor->watts), source, "measured", floor->error);
  };
  add("bare", fit.bare_idle);
  add("context", fit.context_idle);
  add("spin_wait", fit.spin_wait);
  return text.empty() ? text : "\n[idle]\n" + text;
}

std::string error_text(const FitQuality& quality) {
  return std::isnan(quality.held_out.p80)
             ? std::string("nothing held out")
             : fmt::format("held out: {:.2f} % median, {:.2f} % p80", 100 * quality.held_out.median, 100 * quality.held_out.p80);
}

/// The relative half-width of a figure's interval, at least the curve's held-out error; where the fit gives none, the prior's width.
double width(const ClockCurve& curve, const std::string& name, double held_out) {
  constexpr double kUnknown = 0.2;
  for (const FittedFigure& each : curve.figures) {
    if (each.name != name) continue;
    const double half = std::isfinite(each.high) && each.value > 0 ? (each.high - each.low) / 2 / each.value : kUnknown;
    return std::max(half, std::isnan(held_out) ? kUnknown : held_out);
  }
  return kUnknown;
}

std::string clock_tables(const LogFitRequest& request, const LogFit& fit) {
  if (!fit.clock) return {};
  const ClockCurve& curve = *fit.clock;
  const auto fitted = [&](const char* name) {
    return std::any_of(curve.figures.begin(), curve.figures.end(), [&](const FittedFigure& each) { return each.name == name && !each.at_bound; });
  };
  const std::string range = fmt::format("{} clocks {:.0f} .. {:.0f} MHz", fit.clock_points.size(), curve.lowest.si() / 1e6, curve.highest.si() / 1e6);
  const auto source = [&](const FitQuality& quality) {
    return fmt::format("joulecast calibrate fit: {}; {}; {}", log_text(request.log->source), range, error_text(quality));
  };
  std::string text;
  if (curve.time && fitted("core")) {
    const double held = fit.clock_quality.time->held_out.p80;
    text += "\n[clock_form]\n";
    text += figure("memory_bound", fmt::format("{:.4f}", std::min(1.0, curve.time->core_share())), source(*fit.clock_quality.time), "calibrated",
                   width(curve, "core", held));
    if (fitted("sharpness")) {
      text += figure("sharpness", fmt::format("{:.3f}", curve.time->sharpness), source(*fit.clock_quality.time), "calibrated",
                     width(curve, "sharpness", held));
    }
  }
  if (curve.power && fitted("dynamic")) {
    const double held = fit.clock_quality.power->held_out.p80;
    text += "\n[power_split]\n";
    text += figure("dynamic_share", fmt::format("{:.4f}", curve.power->dynamic_share()), source(*fit.clock_quality.power), "calibrated",
                   width(curve, "dynamic", held));
    if (fitted("voltage_ratio")) {
      text += figure("knee", fmt::format("{:.4f}", curve.power->knee), source(*fit.clock_quality.power), "calibrated", width(curve, "knee", held));
      text += figure("voltage_ratio", fmt::format("{:.4f}", curve.power->voltage_ratio), source(*fit.clock_quality.power), "calibrated",
                     width(curve, "voltage_ratio", held));
    }
  }
  return text;
}

/// The limit that was in force all through the log, where it is logged.
std::string limit_table(const LogFitRequest& request) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const traces::GpuSeries& gpu : request.log->gpus) {
    for (const double limit : gpu.power_limit_watts) {
      if (std::isnan(limit)) continue;
      least = std::min(least, limit);
      most = std::max(most, limit);
    }
  }
  const double highest = request.base.power_limit.most.value.si(), lowest = request.base.power_limit.least.value.si();
  if (most <= 0 || least != most || most > highest || most < lowest) return {};
  return fmt::format("\n[power_limit]\n{}", figure("standard", fmt::format("\"{:.4g} W\"", most),
                                                   "joulecast calibrate fit: the limit in " + log_text(request.log->source), "measured", 0));
}

}  // namespace

std::string log_profile(const LogFitRequest& request, const LogFit& fit, const std::string& name, const std::vector<std::string>& load_sources) {
  std::string text = fmt::format("# {}: figures fitted by `joulecast calibrate fit`; every other one is that of {}.\n", name, request.base.name);
  text += comments(request, fit, load_sources);
  text += fmt::format("\nextends = {}\nname = {}\naliases = []\n",
                      config::quoted(std::filesystem::absolute(request.base.file).lexically_normal().string()), config::quoted(name));
  return text + limit_table(request) + idle_table(request, fit) + clock_tables(request, fit);
}

std::string log_points_csv(const LogFit& fit) {
  std::string text = "curve,x,x_unit,measured,fitted,residual,unit\n";
  const auto add = [&](const char* curve, double x, const char* x_unit, double measured, double fitted, const char* unit) {
    if (!std::isnan(measured)) text += fmt::format("{},{},{},{},{},{},{}\n", curve, x, x_unit, measured, fitted, fitted - measured, unit);
  };
  for (const ClockPoint& point : fit.clock_points) {
    if (!fit.clock) break;
    if (fit.clock->power) add("power_against_clock", point.clock.si(), "Hz", point.watts, fit.clock->watts(point.clock), "W");
    if (fit.clock->time) add("time_against_clock", point.clock.si(), "Hz", point.seconds, fit.clock->seconds(point.clock), "s");
  }
  for (const CapPoint& point : fit.cap_points) {
    if (fit.cap) add("time_against_limit", point.limit.si(), "W", point.seconds, fit.cap->seconds(point.limit), "s");
  }
  for (const BatchPoint& point : fit.batch_points) {
    if (!fit.batch) break;
    if (fit.batch->time) add("step_time_against_batch", point.sequences, "1", point.step_seconds, fit.batch->seconds(point.sequences), "s");
    if (fit.batch->power && !std::isnan(point.step_seconds)) {
      add("power_against_batch", point.sequences, "1", point.watts, fit.batch->watts(point.sequences, point.step_seconds), "W");
    }
  }
  for (const Phase& phase : fit.phases.phases) {
    add("phase", static_cast<double>(phase.from_ns) * 1e-9, "s", phase.watts, std::isnan(phase.counter_watts) ? phase.watts : phase.counter_watts,
        "W");
  }
  return text;
}

}  // namespace joulecast::calibration
