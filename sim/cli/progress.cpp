#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace joulecast::cli {
namespace {

std::string seconds_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string bar(double share) {
  constexpr int kCells = 24;
  const int full = static_cast<int>(share * kCells);
  std::string text;
  for (int i = 0; i < kCells; ++i) text += i < full ? "━" : (i == full ? "╸" : " ");
  return text;
}

}  // namespace

bool Progress::due() {
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> since_start = now - started_, since_shown = now - shown_;
  if (since_start.count() < 0.5 || since_shown.count() < (console_.messages_on_terminal() ? 0.2 : 5.0)) return false;
  shown_ = now;
  return true;
}

void Progress::show(const std::string& text) {
  if (!console_.messages_on_terminal()) {
    console_.message(text);
    return;
  }
  std::fprintf(stderr, "\r\x1b[2K%s", text.c_str());
  std::fflush(stderr);
  line_stands_ = true;
}

void Progress::operator()(double now_s, double horizon_s, std::uint64_t events) {
  if (!due()) return;
  const std::chrono::duration<double> since_start = shown_ - started_;
  const std::string millions = fmt::format("{:.1f} M events", static_cast<double>(events) * 1e-6);
  if (std::isfinite(horizon_s) && horizon_s > 0 && now_s > 0 && now_s <= horizon_s) {
    const double share = std::clamp(now_s / horizon_s, 0.0, 1.0);
    show(fmt::format("{}{:3.0f} % of {} simulated, {}, about {} left", console_.messages_on_terminal() ? bar(share) + " " : "", 100 * share,
                     seconds_text(horizon_s), millions, seconds_text(since_start.count() * (1 - share) / share)));
  } else {
    show(fmt::format("{} simulated, {}", seconds_text(now_s), millions));
  }
}

void Progress::runs(std::size_t done, std::size_t all, const char* what) {
  if (done == 0 || !due()) return;
  const std::chrono::duration<double> since_start = shown_ - started_;
  const double share = static_cast<double>(done) / static_cast<double>(all);
  show(fmt::format("{}{} of {} {}, about {} left", console_.messages_on_terminal() ? bar(share) + " " : "", done, all, what,
                   seconds_text(since_start.count() * (1 - share) / share)));
}

void Progress::clear() {
  if (!line_stands_) return;
  std::fprintf(stderr, "\r\x1b[2K");
  std::fflush(stderr);
  line_stands_ = false;
}

}  // namespace joulecast::cli
