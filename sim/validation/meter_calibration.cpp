#include "validation/meter_calibration.hpp"

#include <filesystem>
#include <utility>

#include "calibration/sensor.hpp"
#include "traces/delimited.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::validation {
namespace {

/// The external meter's watts: Unix seconds and watts.
calibration::StepSignal meter_signal(const std::string& path) {
  traces::Delimited rows(traces::TextLines(path), {{{"unix_s"}}, {{"pmd_W"}}});
  std::vector<std::int64_t> times;
  std::vector<double> watts;
  while (rows.next()) {
    const auto time = traces::number_cell(rows, 0, "a time in Unix seconds");
    const auto power = traces::number_cell(rows, 1, "watts");
    if (!time || !power) break;
    times.push_back(static_cast<std::int64_t>(*time * 1e9));
    watts.push_back(*power);
  }
  return {times, watts};
}

/// The first and the last time stamp of the load, in microseconds since 1970.
std::pair<std::int64_t, std::int64_t> load_window(const std::string& path) {
  traces::Delimited rows(traces::TextLines(path), {{{"timestamp"}}});
  std::pair<std::int64_t, std::int64_t> window{0, 0};
  while (rows.next()) {
    const auto time = traces::number_cell(rows, 0, "a time in microseconds");
    if (!time) break;
    window.second = static_cast<std::int64_t>(*time) * 1000;
    if (window.first == 0) window.first = window.second;
  }
  return window;
}

}  // namespace

Comparison meter_a100() {
  return {{{"calibration.meter_a100.energy", "NVML energy against the external meter, aligned", "GPU_Power_Benchmark", 0, "%", "1 %", Kind::measured},
           {"calibration.meter_a100.shifted", "window shifted by 0.5 s", "GPU_Power_Benchmark", -4.7, "%", "1 point", Kind::measured}},
          [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const std::string folder = sources.data + "/traces/nvidia-smi/meter_A100/";
            if (sources.data.empty() || !std::filesystem::exists(folder + "gpudata.csv")) return std::nullopt;
            traces::PowerLogOptions options;
            options.file = folder + "gpudata.csv";
            options.timezone = "Europe/London";  // where the benchmark ran; its load's stamps are Unix time
            const traces::PowerLog log = traces::read_power_log(options);
            const traces::GpuSeries& gpu = log.gpus.front();
            const calibration::StepSignal shown(gpu.time_ns, gpu.best_channel()->watts);
            const auto [from, to] = load_window(folder + "timestamps.csv");
            const double metered = meter_signal(folder + "external_meter_5ms.csv").joules(from, to);
            constexpr std::int64_t kLate = 500'000'000;
            return std::vector<Ours>{{100 * (shown.joules(from, to) / metered - 1)}, {100 * (shown.joules(from + kLate, to + kLate) / metered - 1)}};
          }};
}

}  // namespace joulecast::validation
