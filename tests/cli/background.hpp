#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace joulecast::test {

/// A program that runs beside the test, in a folder, its output thrown away. It is killed with its object, if it still runs then.
class Background {
 public:
  Background(const std::vector<std::string>& words, const std::string& folder);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  pid_t id() const { return child_; }
  /// Processes that it started itself.
  std::vector<pid_t> children() const;
  void kill_now() const;
  bool ended();
  /// Waits for its end: the exit code, or 128 + the signal that ended it.
  int code();

 private:
  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace joulecast::test
