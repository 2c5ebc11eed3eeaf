#include "traces/power/poll_pattern.hpp"

namespace joulecast::traces {

std::size_t PollPattern::samples_a_poll() const {
  for (std::size_t k = 2; k <= 16; ++k) {
    std::size_t polls = 0, alike = 0;
    for (std::size_t first = 0; first + k < times_.size(); first += k) {
      const std::int64_t pause = times_[first + k] - times_[first + k - 1];
      bool burst = pause > 0;
      for (std::size_t i = first + 1; i < first + k; ++i) burst = burst && times_[i] - times_[i - 1] < (pause + 4) / 5 && times_[i] >= times_[i - 1];
      ++polls;
      alike += burst ? 1 : 0;
    }
    if (polls >= 1 && 10 * alike >= 9 * polls && (polls > 1 || times_[k - 1] == times_[0])) return k;
    // A single poll: all rows at one time.
    if (times_.size() == k && times_.back() == times_.front()) return k;
  }
  return 1;
}

}  // namespace joulecast::traces
