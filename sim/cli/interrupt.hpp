#pragma once

#include <atomic>

namespace joulecast::cli {

/// While it lives, the first Ctrl-C (SIGINT) raises `stop()` and gives the signal back its default: the second one ends the program at once.
/// At most one at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& stop() const;
};

}  // namespace joulecast::cli
