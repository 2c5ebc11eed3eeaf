#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/nvml/gpu.hpp"
#include "calibration/record/recording_csv.hpp"

namespace joulecast::calibration {

/// What the last poll of all GPUs showed; a lost GPU has no reading.
struct Poll {
  double elapsed_s = 0;
  std::uint64_t rows = 0, late = 0;
  std::string mark;
  std::vector<std::pair<RecordedGpu, std::optional<Reading>>> gpus;
};

struct RecordOptions {
  std::int64_t period_ns = 100'000'000;
  std::optional<std::int64_t> duration_ns;
  const std::atomic<bool>* stop = nullptr;
  /// The name of a phase that has begun since it was last asked, if any; may be empty. Faulty names are its caller's to refuse.
  std::function<std::optional<std::string>()> next_mark;
  std::function<void(const Poll&)> shown;         ///< after every poll; may be empty
  std::function<void(const std::string&)> noted;  ///< a GPU that was lost, for people; may be empty
};

struct RecordSummary {
  double seconds = 0;
  std::uint64_t polls = 0, rows = 0;
  std::uint64_t late = 0;           ///< polls that were due while another still ran, and were left out
  std::uint64_t without_power = 0;  ///< rows whose GPU has a power sensor that gave no value
  std::vector<std::string> lost;    ///< "gpu 3: GPU is lost (15)"
  bool all_lost = false;
};

/// Polls the GPUs at start + k periods of the monotonic clock (so it does not drift) until the duration is over, `stop` is raised or no GPU is left,
/// and writes every poll to the file at once. A time stamp is the machine's time at the start plus monotonic time since: it does not jump when the
/// clock is set. A GPU that is lost is noted in the file and the rest goes on.
RecordSummary record(std::vector<std::unique_ptr<nvml::Gpu>>& gpus, RecordingCsv& file, const RecordOptions& options);

/// Seconds since 1970 by the machine's clock.
double unix_now();
/// "2026-03-02T10:00:00Z".
std::string utc_text(double unix_s);

}  // namespace joulecast::calibration
