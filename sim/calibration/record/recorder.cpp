#include "calibration/record/recorder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <ctime>

namespace joulecast::calibration {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

/// Sleeps until an instant of the monotonic clock, or until a signal comes.
void sleep_until(std::int64_t ns) {
  const timespec due{ns / kSecond, ns % kSecond};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

class Recorder {
 public:
  Recorder(std::vector<std::unique_ptr<nvml::Gpu>>& gpus, RecordingCsv& file, const RecordOptions& options)
      : gpus_(gpus), file_(file), options_(options), live_(gpus.size(), true), start_ns_(monotonic_ns()), start_unix_s_(unix_now()) {}

  RecordSummary run() {
    std::int64_t due = start_ns_;
    const std::int64_t end = options_.duration_ns ? start_ns_ + *options_.duration_ns : INT64_MAX;
    while (due < end && !stopped() && !summary_.all_lost) {
      if (monotonic_ns() < due) {
        sleep_until(due);
        if (monotonic_ns() < due) continue;  // a signal: look whether it says stop
      }
      poll();
      const std::int64_t periods = (monotonic_ns() - due) / options_.period_ns;
      summary_.late += static_cast<std::uint64_t>(periods);
      due += (periods + 1) * options_.period_ns;
    }
    while (options_.duration_ns && !stopped() && !summary_.all_lost && monotonic_ns() < end) sleep_until(end);
    summary_.seconds = elapsed_s();
    return summary_;
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  double elapsed_s() const { return static_cast<double>(monotonic_ns() - start_ns_) * 1e-9; }

  void poll() {
    while (options_.next_mark) {
      auto begun = options_.next_mark();
      if (!begun) break;
      mark_ = std::move(*begun);
    }
    const std::int64_t second = (monotonic_ns() - start_ns_) / kSecond;
    const bool slow = second != slow_second_;
    slow_second_ = second;
    Poll shown;
    summary_.all_lost = true;
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      auto& seen = shown.gpus.emplace_back(gpus_[i]->facts(), std::nullopt);
      if (!live_[i]) continue;
      Reading reading;
      reading.unix_s = start_unix_s_ + elapsed_s();
      if (!gpus_[i]->read(reading, slow)) {
        lose(i, reading.unix_s);
        continue;
      }
      summary_.all_lost = false;
      file_.add(gpus_[i]->facts(), reading, mark_);
      ++summary_.rows;
      if (misses_power(gpus_[i]->facts(), reading)) ++summary_.without_power;
      seen.second = reading;
    }
    file_.flush();
    ++summary_.polls;
    if (!options_.shown) return;
    shown.elapsed_s = elapsed_s();
    shown.rows = summary_.rows;
    shown.late = summary_.late;
    shown.mark = mark_;
    options_.shown(shown);
  }

  static bool misses_power(const RecordedGpu& gpu, const Reading& reading) {
    return (!gpu.power_average_source.empty() && !reading.power_average_w) || (!gpu.power_instant_source.empty() && !reading.power_instant_w);
  }

  void lose(std::size_t i, double unix_s) {
    live_[i] = false;
    const std::string what = fmt::format("gpu {}: {}", gpus_[i]->facts().index, gpus_[i]->refusal());
    file_.event(unix_s, fmt::format("gpu {} lost: {}", gpus_[i]->facts().index, gpus_[i]->refusal()));
    summary_.lost.push_back(what);
    if (options_.noted) options_.noted(what);
  }

  std::vector<std::unique_ptr<nvml::Gpu>>& gpus_;
  RecordingCsv& file_;
  const RecordOptions& options_;
  std::vector<bool> live_;
  std::int64_t start_ns_;
  double start_unix_s_;
  std::int64_t slow_second_ = -1;
  std::string mark_;
  RecordSummary summary_;
};

}  // namespace

RecordSummary record(std::vector<std::unique_ptr<nvml::Gpu>>& gpus, RecordingCsv& file, const RecordOptions& options) {
  return Recorder(gpus, file, options).run();
}

double unix_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string utc_text(double unix_s) {
  const auto seconds = static_cast<std::time_t>(unix_s);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
                     parts.tm_sec);
}

}  // namespace joulecast::calibration
