#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace joulecast::test {

/// A folder that goes away with its object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// Names of what lies in it, in order.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

struct Ended {
  int code = -1;  ///< the exit code, or 128 + the signal that ended it
  std::string out, err;
};

struct Start {
  std::string folder;                              ///< where it runs; "" here
  std::map<std::string, std::string> environment;  ///< beside ours; NO_COLOR is taken out of ours
  int interrupt_after_ms = 0;                      ///< sends SIGINT then; 0 never
};

/// Runs a program to its end and returns all it wrote.
Ended run_program(const std::vector<std::string>& words, const Start& start = {});
/// The program under test, with these arguments.
Ended run_joulecast(std::vector<std::string> arguments, const Start& start = {});

/// The source tree.
std::filesystem::path source();
std::string read_text(const std::filesystem::path& path);

}  // namespace joulecast::test
