#pragma once

#include <deque>
#include <optional>
#include <string>

namespace joulecast::calibration {

/// A named pipe: every line written to it begins a phase of that name. Made if it is not there, and then taken away again at the end.
class MarkPipe {
 public:
  /// UserError where it cannot be made, or where something else has that name.
  explicit MarkPipe(std::string path);
  ~MarkPipe();
  MarkPipe(const MarkPipe&) = delete;
  MarkPipe& operator=(const MarkPipe&) = delete;

  /// The next line that has come in whole, trimmed; never waits.
  std::optional<std::string> next();

 private:
  std::string path_;
  bool made_ = false;
  int file_ = -1;
  std::string partial_;
  std::deque<std::string> lines_;
};

}  // namespace joulecast::calibration
