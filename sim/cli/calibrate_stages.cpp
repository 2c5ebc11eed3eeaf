#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/hash.hpp"
#include "calibration/stage_curves.hpp"
#include "cli/calibration_json.hpp"
#include "cli/commands.hpp"
#include "report/numbers.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using calibration::StageCurve;
using calibration::StageCurves;
using Json = nlohmann::ordered_json;
using report::Ink;

int fitted_every(const std::string& text) {
  if (text.empty()) return 4;
  int every = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), every);
  if (fault != std::errc{} || end != text.data() + text.size() || every < 2) {
    throw UserError({}, fmt::format("--every \"{}\" is no whole number of at least 2", text), "write --every 4: the other clocks are the test");
  }
  return every;
}

Json json_of(const StageCurves& curves, const traces::StageProfile& profile) {
  Json out = {{"schema", 1},
              {"source", {{"file", profile.file}, {"sha256", sha256_of_file(profile.file)}, {"rows", profile.rows}}},
              {"time_error", quality_json(curves.time)},
              {"power_error", quality_json(curves.power)}};
  out["curves"] = Json::array();
  for (const StageCurve& each : curves.curves) {
    Json points = Json::array();
    for (const auto& point : each.points) {
      points.push_back({{"clock_hz", point.measured.clock.si()},
                        {"fitted", point.fitted},
                        {"measured_s", point.measured.seconds},
                        {"curve_s", point.seconds},
                        {"measured_w", point.measured.watts},
                        {"curve_w", point.watts}});
    }
    Json curve = curve_json(each.curve);
    curve["stage"] = each.stage;
    curve["pass"] = each.pass;
    curve["points"] = std::move(points);
    out["curves"].push_back(std::move(curve));
  }
  return out;
}

std::string csv_of(const StageCurves& curves) {
  std::string text = "stage,pass,clock_hz,fitted,measured_s,curve_s,measured_w,curve_w\n";
  for (const StageCurve& each : curves.curves) {
    for (const auto& point : each.points) {
      text += fmt::format("{},{},{},{},{},{},{},{}\n", each.stage, each.pass, point.measured.clock.si(), point.fitted ? 1 : 0, point.measured.seconds,
                          point.seconds, point.measured.watts, point.watts);
    }
  }
  return text;
}

std::string percent(double share) { return std::isnan(share) ? std::string(report::kUnknown) : fmt::format("{:.3f} %", 100 * share); }

std::string table_of(const StageCurves& curves, const report::Style& style) {
  report::Table table;
  const auto heading = [](const char* text) { return report::Cell{text, Ink::heading}; };
  table.row({report::words("stage, pass", Ink::heading), heading("core share"), heading("sharpness"), heading("dynamic share"), heading("knee"),
             heading("voltage"), heading("ceiling MHz")});
  for (const StageCurve& each : curves.curves) {
    const auto& c = each.curve;
    table.row({report::words(fmt::format("{} {}", each.stage, each.pass)),
               {fmt::format("{:.3f}", c.time->core_share())},
               {fmt::format("{:.2f}", c.time->sharpness)},
               {fmt::format("{:.3f}", c.power->dynamic_share())},
               {fmt::format("{:.3f}", c.power->knee)},
               {fmt::format("{:.3f}", c.power->voltage_ratio)},
               {fmt::format("{:.0f}", c.ceiling.si() / 1e6)}});
  }
  report::Table errors;
  errors.row({report::words("error on clocks held out", Ink::heading), heading("mean"), heading("median"), heading("p90"), heading("worst"),
              heading("points"), heading("R2 centred"), heading("R2 uncentred")});
  const auto row = [&](const char* name, const calibration::FitQuality& q) {
    errors.row({report::words(name),
                {percent(q.held_out.mean)},
                {percent(q.held_out.median)},
                {percent(q.held_out.p90)},
                {percent(q.held_out.worst)},
                {fmt::format("{}", q.held_out_rows)},
                {fmt::format("{:.5f}", q.r2_centred)},
                {fmt::format("{:.5f}", q.r2_uncentred)}});
  };
  row("time", curves.time);
  row("power", curves.power);
  return table.text(style) + "\n" + errors.text(style);
}

}  // namespace

int calibrate_stages(const CalibrateStagesArguments& arguments, Console& console) {
  const int every = fitted_every(arguments.every);
  const traces::StageProfile profile = traces::read_stage_profile(traces::TextLines(arguments.file));
  const StageCurves curves = calibration::fit_stage_curves(profile, every);
  if (!arguments.csv.empty()) {
    std::ofstream file(arguments.csv, std::ios::binary);
    file << csv_of(curves);
    file.close();
    if (!file) throw UserError(Place{arguments.csv, 0, 0}, "can't write the points there", "give a file in a folder that exists: --csv FILE");
  }
  console.print(arguments.json ? json_of(curves, profile).dump(2) + "\n" : table_of(curves, console.style()));
  return kDone;
}

}  // namespace joulecast::cli
