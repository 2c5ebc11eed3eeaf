#include "calibration/record/measuring_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace joulecast::calibration {
namespace {

constexpr int kSteps = 9;

/// `reset`: the command that gives the board back what the steps set; "" where they set nothing.
std::string head(std::string_view what, std::string_view gpu, std::string_view reset = {}) {
  return fmt::format(R"(#!/usr/bin/env bash
# {} of a {}. Steps of a minute each: an average over 1 s and a sensor that looks at 25 ms of every 100 ms both settle well within that.
# LOAD is a command that keeps the GPU busy, all the time in the same way, until it is killed.
set -euo pipefail
: "${{LOAD:?set LOAD to the command that keeps the GPU busy}}"
GPU=${{GPU:-0}}
OUT=${{OUT:-{}.csv}}

# However the script ends, the load and the recorder end and the board is as it was.
load=
finish() {{
  trap - EXIT
  if [[ -n $load ]]; then kill $load 2>/dev/null || true; fi
{}  kill -INT $recorder 2>/dev/null || true
  wait $recorder || true
}}

joulecast record --gpu "$GPU" --period '50 ms' --fifo marks --out "$OUT" &
recorder=$!
trap finish EXIT
recording() {{ kill -0 $recorder 2>/dev/null || {{ echo "the recorder has ended" >&2; exit 1; }}; }}
while [[ ! -p marks ]]; do recording; sleep 0.1; done
mark() {{ recording; echo "$1" > marks; }}
)",
                     what, gpu, "measured", reset.empty() ? std::string() : fmt::format("  {} || true\n", reset));
}

constexpr std::string_view kWarm = R"(
# Warm: a cold board draws a few per cent less, and leakage rises with temperature until it is steady.
mark warm-up
$LOAD & load=$!
sleep 600
)";

/// A curve of time needs the time of a step at each setting.
constexpr std::string_view kStep = R"(
# STEP is a command that looks at the load for some seconds and prints how long one step of it takes now, in seconds (0.0231).
: "${STEP:?set STEP to the command that prints the seconds of a step}"
step() { local s; s=$($STEP); echo "step_s=$s"; }
)";

std::vector<double> spread(std::vector<double> all) {
  if (all.size() <= kSteps) return {all.rbegin(), all.rend()};
  std::vector<double> some;
  for (int i = kSteps - 1; i >= 0; --i) {
    some.push_back(all[static_cast<std::size_t>(std::lround(i * static_cast<double>(all.size() - 1) / (kSteps - 1)))]);
  }
  return some;
}

std::string listed(const std::vector<double>& values, double unit) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.0f}", text.empty() ? "" : " ", value / unit);
  return text;
}

std::string clock_steps(const hardware::GpuProfile& gpu) {
  std::vector<double> clocks;
  for (const Hertz clock : gpu.clock_list()) clocks.push_back(clock.si());
  return fmt::format(R"sh(
# Clocks from the highest down, then the highest again: if its two watts differ by more than 1 %, the board was not warm yet. Needs root.
# The memory clock is left alone: locking it costs speed on some boards.
for clock in {} {:.0f}; do
  nvidia-smi -i "$GPU" -lgc "$clock,$clock"
  sleep 5
  mark "clock=$clock $(step)"
  sleep 60
  mark between
done
)sh",
                     listed(spread(clocks), 1e6), clocks.empty() ? 0 : clocks.back() / 1e6);
}

std::string cap_steps(const hardware::GpuProfile& gpu) {
  std::vector<double> limits;
  const double least = gpu.power_limit.least.value.si(), most = gpu.power_limit.standard.value.si();
  for (int i = 0; i < kSteps; ++i) limits.push_back(std::round(least + (most - least) * i / (kSteps - 1)));
  return fmt::format(R"sh(
# Power limits from the default down. A cap acts as a control loop of about a second and does nothing above what the load draws. Needs root.
for limit in {}; do
  nvidia-smi -i "$GPU" -pl "$limit"
  sleep 10
  mark "cap=$limit $(step)"
  sleep 60
  mark between
done
)sh",
                     listed(spread(limits), 1));
}

constexpr std::string_view kIdle = R"(
# Two floors: a GPU that nobody uses, one that holds a model. The third, one that waits busily, needs a collective whose peer is held back: mark it spin-wait.
mark bare-idle
sleep 180
mark loading
$LOAD & load=$!
sleep 60
# Stop the requests, not the engine: what is left is context idle.
echo "stop sending requests now; the engine keeps running" >&2
sleep 10
mark context-idle
sleep 180
)";

constexpr std::string_view kBatch = R"sh(
# Load here is a command that sends requests: it is started with the number of requests to keep running as its argument.
# The engine's batch and step times, once a second: vLLM's own metrics.
METRICS=${METRICS:-http://localhost:8000/metrics}
while sleep 1; do echo "# scrape $(date +%s.%N)"; curl -sS --max-time 5 "$METRICS" || true; done > metrics.txt &
scraper=$!
for batch in 1 2 4 8 16 32 64 128 256; do
  $LOAD "$batch" & load=$!
  sleep 20
  mark "batch=$batch"
  sleep 60
  mark between
  kill $load; wait $load || true
  load=
done
)sh";

std::string tail(const hardware::GpuProfile& gpu, bool batch) {
  return fmt::format(R"(
finish
joulecast calibrate inspect "$OUT"
joulecast calibrate fit "$OUT" --base "{}" --name "my {}"{} --out profile
)",
                     gpu.name, gpu.name, batch ? " --load metrics.txt" : "");
}

}  // namespace

const std::vector<std::string>& measuring_plan_names() {
  static const std::vector<std::string> names = {"idle", "clock-sweep", "cap-sweep", "batch-sweep"};
  return names;
}

std::optional<MeasuringPlan> measuring_plan(std::string_view name) {
  const auto& names = measuring_plan_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<MeasuringPlan>(found - names.begin());
}

std::string measuring_script(MeasuringPlan plan, const hardware::GpuProfile& gpu) {
  const std::string limit = fmt::format("nvidia-smi -i \"$GPU\" -pl {:.0f}", gpu.power_limit.standard.value.si());
  switch (plan) {
    case MeasuringPlan::idle:
      return head("Floors", gpu.name) + std::string(kIdle) + tail(gpu, false);
    case MeasuringPlan::clock_sweep:
      return head("Watts and time against the SM clock", gpu.name, "nvidia-smi -i \"$GPU\" -rgc") + std::string(kStep) + std::string(kWarm) +
             clock_steps(gpu) + tail(gpu, false);
    case MeasuringPlan::cap_sweep:
      return head("Watts and time against the power limit", gpu.name, limit) + std::string(kStep) + std::string(kWarm) + cap_steps(gpu) +
             tail(gpu, false);
    case MeasuringPlan::batch_sweep:
      break;
  }
  return head("Watts of serving against the batch", gpu.name, "if [[ -n ${scraper:-} ]]; then kill $scraper 2>/dev/null; fi") + std::string(kBatch) +
         tail(gpu, true);
}

std::string nvidia_smi_line(std::int64_t period_ms) {
  return fmt::format(
      "nvidia-smi --query-gpu=timestamp,index,uuid,name,driver_version,pstate,power.draw,power.draw.average,power.draw.instant,power.limit,"
      "clocks.current.sm,clocks.current.memory,utilization.gpu,temperature.gpu,memory.used,clocks_event_reasons.active --format=csv -lms {} > "
      "gpus.csv\n"
      "# Before driver 535 leave out power.draw.average, power.draw.instant and clocks_event_reasons.active (then clocks_throttle_reasons.active).\n"
      "# The time stamps are this machine's local time: `date +%Z` or `timedatectl` names the zone that `joulecast calibrate` asks for.\n"
      "# joulecast calibrate inspect gpus.csv --timezone Europe/Berlin\n",
      period_ms);
}

}  // namespace joulecast::calibration
