#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/scenario_input.hpp"
#include "cli/sensor_words.hpp"
#include "report/table.hpp"
#include "study/recorded_power.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string json_text(const std::string& folder, const study::PowerReplay& r) {
  const Json out = {{"schema", 1},
                    {"run", folder},
                    {"gpus", r.gpus},
                    {"column", std::string(traces::name(r.kind))},
                    {"offset_s", r.offset.seconds},
                    {"offset_correlation", number(r.offset.correlation)},
                    {"moments", r.moments.size()},
                    {"joules", {{"measured", r.measured_joules}, {"simulated", r.simulated_joules}, {"error", r.mean_error}}},
                    {"p99_watts", {{"measured", r.p99_measured}, {"simulated", r.p99_simulated}}},
                    {"rms_watts", r.rms_watts},
                    {"correlation", number(r.correlation)},
                    {"sensor",
                     {{"update_period_s", r.sensor.model.period},
                      {"window_s", r.sensor.model.window},
                      {"gain", r.sensor.model.gain},
                      {"offset_w", r.sensor.model.offset},
                      {"notes", r.sensor.notes}}},
                    {"notes", r.notes}};
  return out.dump(2) + "\n";
}

std::string summary(const study::PowerReplay& r, const report::Style& style) {
  using report::Ink;
  using report::words;
  report::Table table;
  table.row({words(fmt::format("{} GPUs, {:.0f} s", r.gpus, 0.1 * static_cast<double>(r.moments.size())), Ink::heading),
             {"measured", Ink::heading},
             {"simulated", Ink::heading},
             {"error", Ink::heading}});
  const auto row = [&](const char* name, double measured, double simulated, const char* unit) {
    table.row({words(name),
               {fmt::format("{:.1f} {}", measured, unit)},
               {fmt::format("{:.1f} {}", simulated, unit)},
               {fmt::format("{:+.1f} %", 100 * (simulated / measured - 1))}});
  };
  row("energy", 1e-3 * r.measured_joules, 1e-3 * r.simulated_joules, "kJ");
  row("power, mean", r.measured_joules / (0.1 * static_cast<double>(r.moments.size())),
      r.simulated_joules / (0.1 * static_cast<double>(r.moments.size())), "W");
  row("power, p99 of moments", r.p99_measured, r.p99_simulated, "W");
  const std::string together = std::isfinite(r.correlation) ? fmt::format(", correlation {:.3f}", r.correlation) : "";
  return table.text(style) + fmt::format("\nmoment by moment: {:.1f} W root mean square{}; seen through the log's sensor\n", r.rms_watts, together);
}

}  // namespace

bool is_power_run(const std::string& folder) {
  return std::filesystem::exists(std::filesystem::path(folder) / "power.csv") &&
         std::filesystem::exists(std::filesystem::path(folder) / "scenario.toml");
}

int compare_power(const CalibrateCompareArguments& arguments, Console& console) {
  std::vector<UserFault> faults;
  const calibration::SensorStatement stated = sensor_statement(arguments.sensor, faults);
  const std::optional<double> offset = option_amount("--offset", arguments.offset, faults);
  if (!faults.empty()) throw UserError(std::move(faults));
  const std::filesystem::path folder(arguments.folder);
  const scenario::Scenario scenario = load_scenario({(folder / "scenario.toml").string(), {"time.bin=\"100 ms\""}, {}});
  traces::PowerLogOptions options;
  options.file = (folder / "power.csv").string();
  options.timezone = arguments.timezone;
  constexpr double kMostOffset = 600;
  const study::PowerReplay replay = study::replay_power(scenario, traces::read_power_log(options), stated, offset, kMostOffset);
  for (const std::string& note : replay.sensor.notes) console.note("sensor: " + note);
  for (const std::string& note : replay.notes) console.note(note);
  if (!arguments.csv.empty()) {
    std::ofstream file(arguments.csv, std::ios::binary);
    file << "seconds,measured_w,simulated_w,error_w\n";
    for (const study::PowerMoment& m : replay.moments)
      file << fmt::format("{},{},{},{}\n", m.seconds, m.measured, m.simulated, m.simulated - m.measured);
    file.close();
    if (!file) throw UserError(Place{arguments.csv, 0, 0}, "can't write the moments there", "give a file in a folder that exists: --csv FILE");
  }
  console.print(arguments.json ? json_text(arguments.folder, replay) : summary(replay, console.style()));
  return kDone;
}

}  // namespace joulecast::cli
