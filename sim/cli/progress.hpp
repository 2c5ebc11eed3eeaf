#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/console.hpp"

namespace joulecast::cli {

/// Tells on standard error how far a run is: a line that renews itself on a terminal, else a line every five seconds. Runs under half a
/// second say nothing.
class Progress {
 public:
  explicit Progress(Console& console) : console_(console), started_(Clock::now()), shown_(started_) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Simulated seconds so far and in all (not finite where the end is not known), events so far.
  void operator()(double now_s, double horizon_s, std::uint64_t events);
  /// Runs, or what else is counted, done and in all.
  void runs(std::size_t done, std::size_t all, const char* what = "runs");
  /// Takes the line off the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  /// Whether it is time for a further line, and, if it is, that this is it.
  bool due();
  void show(const std::string& text);
  Console& console_;
  Clock::time_point started_, shown_;
  bool line_stands_ = false;
};

}  // namespace joulecast::cli
