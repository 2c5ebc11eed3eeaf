#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "calibration/chassis_fit.hpp"
#include "calibration/log_fit.hpp"
#include "calibration/log_profile.hpp"
#include "cli/calibrate_fit_input.hpp"
#include "cli/calibration_json.hpp"
#include "cli/commands.hpp"
#include "report/html/page.hpp"
#include "report/numbers.hpp"
#include "report/run_folder.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using calibration::LogFit;
using Json = nlohmann::ordered_json;
using report::Ink;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json floor_json(const calibration::FloorFit& floor) {
  return {{"watts", floor.watts}, {"error", floor.error}, {"spread_w", floor.spread}, {"phases", floor.phases}, {"seconds", floor.seconds}};
}

Json sensor_json(const LogFit& fit) {
  const auto& model = fit.sensor.model;
  return {{"column", std::string(traces::name(fit.kind))},
          {"update_period_s", model.period},
          {"update_period_seen", fit.sensor.update.resolved()},
          {"window_s", model.window},
          {"window_learnt", fit.sensor.window_learnt},
          {"lag_s", model.lag},
          {"lag_learnt", fit.sensor.lag_learnt},
          {"gain", model.gain},
          {"offset_w", model.offset},
          {"steps", fit.sensor.steps},
          {"notes", fit.sensor.notes}};
}

Json phases_json(const LogFit& fit) {
  Json out = Json::array();
  for (const auto& phase : fit.phases.phases) {
    out.push_back({{"gpu", phase.gpu},
                   {"name", phase.name},
                   {"state", std::string(calibration::name(phase.facts.state))},
                   {"from_s", static_cast<double>(phase.from_ns) * 1e-9},
                   {"seconds", phase.seconds()},
                   {"watts", phase.watts},
                   {"spread_w", phase.spread},
                   {"counter_w", number(phase.counter_watts)},
                   {"clock_hz", phase.clock_hertz},
                   {"batch", phase.batch},
                   {"step_s", phase.facts.step_seconds > 0 ? Json(phase.facts.step_seconds) : Json()}});
  }
  return out;
}

Json report_json(const FitInput& input, const LogFit& fit, const std::optional<calibration::ChassisFit>& chassis) {
  const traces::LogSource& source = input.log.source;
  Json dropped = Json::object();
  for (const auto& [reason, count] : source.dropped) dropped[reason] = count;
  Json out = {{"schema", 1},
              {"log",
               {{"file", source.file},
                {"sha256", source.sha256},
                {"format", source.format},
                {"rows", source.rows},
                {"dropped", dropped},
                {"driver", source.driver},
                {"timezone", source.timezone}}},
              {"beside", input.beside},
              {"base", input.request.base.name}};
  if (!input.log.gpus.empty()) out["sensor"] = sensor_json(fit);
  out["counter"] = Json::array();
  for (const auto& check : fit.counters) {
    out["counter"].push_back({{"gpu", check.gpu},
                              {"counter_joules", check.facts.counter_joules},
                              {"integrated_joules", check.facts.power_joules},
                              {"difference", check.facts.difference()}});
  }
  if (fit.bare_idle) out["floors"]["bare"] = floor_json(*fit.bare_idle);
  if (fit.context_idle) out["floors"]["context"] = floor_json(*fit.context_idle);
  if (fit.spin_wait) out["floors"]["spin_wait"] = floor_json(*fit.spin_wait);
  if (fit.clock) {
    out["clock"] = curve_json(*fit.clock);
    if (fit.clock_quality.time) out["clock"]["time_quality"] = quality_json(*fit.clock_quality.time);
    if (fit.clock_quality.power) out["clock"]["power_quality"] = quality_json(*fit.clock_quality.power);
  }
  if (fit.cap) out["cap"] = {{"figures", figures_json(fit.cap->figures)}, {"valid_w", {fit.cap->lowest.si(), fit.cap->highest.si()}}};
  if (fit.batch) {
    out["batch"] = {{"figures", figures_json(fit.batch->figures)}, {"valid", {fit.batch->lowest, fit.batch->highest}}};
    if (fit.batch->time) out["batch"]["time_quality"] = quality_json(*fit.batch->time);
    if (fit.batch->power) out["batch"]["power_quality"] = quality_json(*fit.batch->power);
  }
  if (chassis) {
    out["chassis"] = {
        {"figures", figures_json(chassis->figures)}, {"quality", quality_json(chassis->quality)}, {"refused", refused_json(chassis->refused)}};
  }
  if (input.meter) {
    out["meter"] = {{"shift_s", input.meter->shift.seconds},
                    {"correlation", input.meter->shift.correlation},
                    {"error_as_read", input.meter->error_as_read},
                    {"error_aligned", input.meter->error_aligned},
                    {"gain", input.meter->gain},
                    {"offset_w", input.meter->offset},
                    {"figures", figures_json(input.meter->figures)}};
  }
  if (fit.load_offset) out["load_offset"] = {{"seconds", fit.load_offset->seconds}, {"correlation", number(fit.load_offset->correlation)}};
  out["phases"] = phases_json(fit);
  out["refused"] = refused_json(fit.refused);
  out["notes"] = fit.notes;
  out["warnings"] = fit.warnings;
  return out;
}

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.2f} %", 100 * share) : std::string(report::kUnknown); }

/// What was fitted and has no figure in a GPU's profile.
std::vector<std::string> left_in_report(const LogFit& fit, bool measured) {
  std::vector<std::string> all;
  if (fit.cap)
    all.emplace_back("time under a power limit stays in report.json: a profile has no figure for it, a simulated cap acts through the clock");
  if (fit.batch && !measured) {
    all.emplace_back(
        "step time and watts against batch stay in report.json: --model with --prompt-tokens and --output-tokens writes the batches as measured "
        "steps");
  }
  return all;
}

bool nothing_fitted(const LogFit& fit) { return !fit.bare_idle && !fit.context_idle && !fit.spin_wait && !fit.clock && !fit.cap && !fit.batch; }

std::string summary(const LogFit& fit, const std::optional<calibration::ChassisFit>& chassis, const report::Style& style) {
  if (nothing_fitted(fit) && !chassis) return "nothing could be fitted: the profile keeps the figures of the one it extends\n";
  report::Table table;
  const auto heading = [](const char* text) { return report::Cell{text, Ink::heading}; };
  table.row(
      {report::words("fit", Ink::heading), report::words("figures", Ink::heading), heading("points"), heading("held out: median"), heading("p80")});
  const auto floor = [&](const char* name, const std::optional<calibration::FloorFit>& f) {
    if (f)
      table.row({report::words(name),
                 report::words(fmt::format("{:.1f} W within {}", f->watts, percent(f->error))),
                 {fmt::format("{}", f->phases)},
                 {""},
                 {""}});
  };
  floor("bare idle", fit.bare_idle);
  floor("context idle", fit.context_idle);
  floor("spin-wait", fit.spin_wait);
  const auto curve = [&](const char* name, const std::string& words, const calibration::FitQuality& q) {
    table.row({report::words(name), report::words(words), {fmt::format("{}", q.rows)}, {percent(q.held_out.median)}, {percent(q.held_out.p80)}});
  };
  if (fit.clock && fit.clock->power) {
    const auto& p = *fit.clock->power;
    curve("power against clock", fmt::format("dynamic share {:.3f}, knee {:.3f}, voltage {:.3f}", p.dynamic_share(), p.knee, p.voltage_ratio),
          *fit.clock_quality.power);
  }
  if (fit.clock && fit.clock->time) {
    const auto& t = *fit.clock->time;
    curve("time against clock", fmt::format("core share {:.3f}, sharpness {:.2f}", t.core_share(), t.sharpness), *fit.clock_quality.time);
  }
  if (fit.batch && fit.batch->time) {
    curve("step time against batch",
          fmt::format("{:.2f} ms + {:.4f} ms a sequence", 1e3 * fit.batch->fixed_seconds, 1e3 * fit.batch->sequence_seconds), *fit.batch->time);
  }
  if (fit.batch && fit.batch->power) {
    curve("power against batch", fmt::format("{:.0f} W + {:.0f} W * sqrt(u)", fit.batch->base_watts, fit.batch->slope_watts), *fit.batch->power);
  }
  if (fit.cap) {
    table.row({report::words("time under a limit"),
               report::words(fmt::format("{:.0f} to {:.0f} W: {:.3g} to {:.3g} s", fit.cap->lowest.si(), fit.cap->highest.si(),
                                         fit.cap->seconds(fit.cap->lowest), fit.cap->seconds(fit.cap->highest))),
               {fmt::format("{}", fit.cap_points.size())},
               {""},
               {""}});
  }
  if (chassis)
    curve("chassis", fmt::format("host {:.0f} W, fans {:.0f} W at their peak", chassis->host_watts, chassis->fans_peak_watts), chassis->quality);
  return table.text(style);
}

}  // namespace

int calibrate_fit(const CalibrateFitArguments& arguments, Console& console) {
  FitInput input;
  read_fit_input(arguments, input);
  LogFit fit = calibration::fit_log(input.request);
  std::optional<calibration::ChassisFit> chassis;
  try {
    if (input.node) chassis = calibration::fit_chassis(input.chassis, *input.node);
  } catch (const UserError& error) {
    fit.refused.push_back({"host and fans of the chassis", error.faults().front().what, error.faults().front().remedy});
  }
  const std::string profile = calibration::log_profile(input.request, fit, arguments.name, input.beside);
  const auto measured = input.measured ? std::optional(calibration::measured_points(*input.measured, fit)) : std::nullopt;
  const bool placed = measured && !measured->text.empty();
  Json report_text = report_json(input, fit, chassis);
  if (placed) report_text["measured_steps"] = {{"file", "measured.toml"}, {"batches", measured->batches}};
  report::RunFolder folder(arguments.out, false);
  const std::filesystem::path aside = folder.open();
  folder.write("gpu.toml", profile);
  if (chassis) {
    folder.write("node.toml", calibration::chassis_profile(*chassis, *input.node, arguments.name + " node",
                                                           std::filesystem::absolute(std::filesystem::path(arguments.out) / "gpu.toml").string(),
                                                           fmt::format("{} beside {}", arguments.chassis, arguments.log)));
  }
  if (placed) folder.write("measured.toml", measured->text);
  folder.write("report.json", report_text.dump(2) + "\n");
  folder.write("points.csv", calibration::log_points_csv(fit));
  folder.write(report::kReportFile, report::html_report(aside));
  folder.commit();
  if (input.meter) {
    console.note(fmt::format("meter: reading = {:.4f} x meter {} {:.1f} W; energy {:+.2f} % as read, {:+.2f} % aligned", input.meter->gain,
                             input.meter->offset < 0 ? "-" : "+", std::abs(input.meter->offset), 100 * input.meter->error_as_read,
                             100 * input.meter->error_aligned));
    if (const std::string shift = input.meter->shift_text(); !shift.empty()) console.note("warning: " + shift);
  }
  for (const std::string& note : fit.sensor.notes) console.note("sensor: " + note);
  for (const std::string& note : fit.notes) console.note(note);
  for (const std::string& warning : fit.warnings) console.note("warning: " + warning);
  const auto not_given = [&](const calibration::RefusedFigure& each) {
    console.note(fmt::format("not given: {} ({}); measure: {}", each.name, each.why, each.measure));
  };
  for (const auto& refused : fit.refused) not_given(refused);
  if (measured && measured->refused) not_given(*measured->refused);
  for (const std::string& left : left_in_report(fit, placed)) console.note(left);
  if (arguments.json) {
    console.print(report_text.dump(2) + "\n");
    return kDone;
  }
  console.print(summary(fit, chassis, console.style()) +
                fmt::format("\n{0}/gpu.toml: name it in a scenario with gpu = \"{0}/gpu.toml\"\n", arguments.out));
  if (placed) {
    console.print(fmt::format("{0}/measured.toml: {1} batch{2} of {3} on {4} GPU{5}; name it in a pool of it with measured = \"{0}/measured.toml\"\n",
                              arguments.out, measured->batches, measured->batches == 1 ? "" : "es", input.measured->model, input.measured->gpus,
                              input.measured->gpus == 1 ? "" : "s"));
  }
  return kDone;
}

}  // namespace joulecast::cli
