#include "cli/record_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace joulecast::cli {
namespace {

std::string cell(const std::optional<double>& value, double unit, const char* name) {
  return value ? fmt::format("{:.0f} {}", *value / unit, name) : std::string("-");
}

}  // namespace

std::string reasons_text(std::uint64_t mask) {
  struct Bit {
    std::uint64_t bit;
    const char* text;
  };
  constexpr Bit bits[] = {{0x4, "power cap"}, {0x8, "hardware slowdown"}, {0x10, "sync boost"},
                          {0x20, "thermal"},  {0x40, "hardware thermal"}, {0x80, "power brake"}};
  std::string text;
  for (const Bit& each : bits) {
    if ((mask & each.bit) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", each.text);
  }
  return text;
}

std::string RecordView::table(const calibration::Poll& poll) const {
  std::string text = fmt::format("{:.0f} s, {} rows{}{}\n", poll.elapsed_s, poll.rows, poll.late > 0 ? fmt::format(", {} polls late", poll.late) : "",
                                 poll.mark.empty() ? "" : ", phase " + poll.mark);
  for (const auto& [gpu, reading] : poll.gpus) {
    if (!reading) {
      text += fmt::format("  {:3}  {:28.28}  lost\n", gpu.index, gpu.name);
      continue;
    }
    const auto& power = reading->power_instant_w ? reading->power_instant_w : reading->power_average_w;
    const auto busy = reading->utilization ? fmt::format("{:.0f} %", 100 * *reading->utilization) : std::string("-");
    text += fmt::format("  {:3}  {:28.28} {:>8} of {:>6} {:>9} {:>6} {:>5}  {}\n", gpu.index, gpu.name, cell(power, 1, "W"),
                        cell(reading->power_limit_w, 1, "W"), cell(reading->sm_clock_hz, 1e6, "MHz"), busy, cell(reading->temperature_c, 1, "C"),
                        reasons_text(reading->throttle_reasons.value_or(0)));
  }
  return text;
}

void RecordView::operator()(const calibration::Poll& poll) {
  const bool terminal = console_.messages_on_terminal();
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - shown_).count() < (terminal ? 0.5 : 5.0)) return;
  shown_ = now;
  if (!terminal) {
    double watts = 0;
    for (const auto& [gpu, reading] : poll.gpus) {
      if (reading) watts += reading->power_instant_w.value_or(reading->power_average_w.value_or(0));
    }
    console_.message(fmt::format("{:.0f} s, {} rows, {:.0f} W on {} GPUs", poll.elapsed_s, poll.rows, watts, poll.gpus.size()));
    return;
  }
  const std::string text = table(poll);
  // Up to where the last table began, and every line wiped before it is written anew.
  if (lines_ > 0) std::fprintf(stderr, "\x1b[%dA", lines_);
  std::fprintf(stderr, "\x1b[J%s", text.c_str());
  std::fflush(stderr);
  lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void RecordView::end() { lines_ = 0; }

}  // namespace joulecast::cli
