#include "validation/clock_calibration.hpp"

#include <filesystem>
#include <utility>

#include "calibration/power_cap_curve.hpp"
#include "calibration/stage_curves.hpp"
#include "fit/held_out.hpp"
#include "traces/power/power_limits.hpp"
#include "validation/meter_calibration.hpp"

namespace joulecast::validation {
namespace {

Comparison stages(const std::string& gpu, const std::string& file, const std::string& time_tolerance, const std::string& power_tolerance) {
  const std::string quantity = "Perseus stage profiles, fitted on every fourth clock, error on the others";
  const std::string source = "SOSP 2024 artifact; fitted on the 1st, 5th, 9th .. clock from the top, each (stage, pass) by itself; mean |error|";
  return {{{"calibration.perseus." + gpu + ".power_error", quantity, source, 0, "%", power_tolerance, Kind::measured},
           {"calibration.perseus." + gpu + ".time_error", quantity, source, 0, "%", time_tolerance, Kind::measured}},
          [file](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const std::string path = sources.data + "/training/perseus/" + file;
            if (sources.data.empty() || !std::filesystem::exists(path)) return std::nullopt;
            const auto curves = calibration::fit_stage_curves(traces::read_stage_profile(traces::TextLines(path)), 4);
            return std::vector<Ours>{{100 * curves.power.held_out.mean}, {100 * curves.time.held_out.mean}};
          }};
}

/// Errors of the limits that were left out, of one GPU's jobs with six limits or more.
void cap_errors(const std::string& path, std::vector<double>& predicted, std::vector<double>& measured) {
  for (const traces::PowerLimitJob& job : traces::read_power_limits(traces::TextLines(path)).jobs) {
    constexpr std::size_t kLeastLimits = 6;
    if (job.rows.size() < kLeastLimits) continue;
    std::vector<calibration::CapPoint> fitted;
    for (std::size_t i = 0; i < job.rows.size(); ++i) {
      if (i % 3 != 2) fitted.push_back({job.rows[i].limit, job.rows[i].time.si()});
    }
    const calibration::CapCurve curve = calibration::fit_cap_curve(fitted);
    for (std::size_t i = 2; i < job.rows.size(); i += 3) {
      predicted.push_back(curve.seconds(job.rows[i].limit));
      measured.push_back(job.rows[i].time.si());
    }
  }
}

Comparison time_at_cap() {
  return {{{"calibration.zeus.time_at_cap", "median error of time against cap", "Zeus NSDI 2023 traces", 0, "%", "4 %", Kind::measured}},
          [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const std::string folder = sources.data + "/power-caps/zeus-nsdi23/summary_power_";
            if (sources.data.empty() || !std::filesystem::exists(folder + "a40.csv")) return std::nullopt;
            std::vector<double> predicted, measured;
            for (const char* gpu : {"a40", "p100", "rtx6000", "v100"}) cap_errors(folder + gpu + ".csv", predicted, measured);
            return std::vector<Ours>{{100 * fit::relative_errors(predicted, measured).median}};
          }};
}

}  // namespace

std::vector<Comparison> calibrations() {
  std::vector<Comparison> all;
  all.push_back(meter_a100());
  all.push_back(stages("a100", "gpt3-175b+a100_sxm_bf16.csv", "0.5 %", "1 %"));
  all.push_back(stages("a40", "gpt3-175b+a40_bf16.csv", "2 %", "3.5 %"));
  all.push_back(time_at_cap());
  return all;
}

}  // namespace joulecast::validation
