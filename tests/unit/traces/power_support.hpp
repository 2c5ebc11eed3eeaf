#pragma once

#include <string>
#include <string_view>

#include "traces/power/open_log.hpp"
#include "unit/traces/support.hpp"

namespace joulecast::traces::test {

inline PowerLogOptions log_options() {
  PowerLogOptions options;
  options.file = "log";
  return options;
}
inline PowerLog power_log(std::string_view text, const PowerLogOptions& options = log_options()) { return read_power_log_text(text, options); }

/// All faults of the refusal as a person reads them; "" where the log is read.
inline std::string log_refused(std::string_view text, const PowerLogOptions& options = log_options()) {
  try {
    power_log(text, options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

}  // namespace joulecast::traces::test
