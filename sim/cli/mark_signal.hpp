#pragma once

#include <optional>
#include <string>
#include <vector>

namespace joulecast::cli {

/// While it lives, every SIGUSR1 begins the next of a list of phases; behind its end "phase-2", "phase-3", ... by the count of signals. At most
/// one at a time.
class MarkSignal {
 public:
  explicit MarkSignal(std::vector<std::string> names);
  ~MarkSignal();
  MarkSignal(const MarkSignal&) = delete;
  MarkSignal& operator=(const MarkSignal&) = delete;

  /// The phase that a signal has begun since this was last asked.
  std::optional<std::string> next();

 private:
  std::vector<std::string> names_;
  std::size_t begun_ = 0;
};

}  // namespace joulecast::cli
