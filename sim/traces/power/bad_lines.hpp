#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/power/log.hpp"

namespace joulecast::traces {

/// Lines of a log that are no rows: banners, rows with cells missing, cells that do not read. As many as were allowed are left out and quoted in the
/// notes; with more the log is refused, naming each.
class BadLines {
 public:
  BadLines(std::string file, int allowed) : file_(std::move(file)), allowed_(allowed) {}

  void add(int line, std::string_view text, const std::string& why);
  std::size_t count() const { return count_; }
  /// After the last line. UserError: more than allowed.
  void settle(PowerLog& log) const;

 private:
  std::string file_;
  int allowed_;
  std::size_t count_ = 0;
  std::vector<UserFault> faults_;
};

/// Splits a line at `delimiter`, without the blanks around cells; a cell in quotes loses them ("" inside is a quote).
void split_cells(std::string_view line, char delimiter, std::vector<std::string>& cells);

}  // namespace joulecast::traces
