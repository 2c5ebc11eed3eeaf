#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace joulecast::traces {

/// Tells a log of one GPU from rows of several that carry no number: those come in bursts, a row a GPU, poll by poll.
class PollPattern {
 public:
  void add(std::int64_t time_ns) { times_.push_back(time_ns); }
  /// k where nine in ten polls are k rows whose distances are below a fifth of the distance to the next poll; 1 where no k from 2 to 16 is so, or
  /// there are fewer than two polls.
  std::size_t samples_a_poll() const;

 private:
  std::vector<std::int64_t> times_;
};

}  // namespace joulecast::traces
