#pragma once

#include <string>
#include <vector>

#include "traces/power/open_log.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

/// A log on the command line with what it does not say by itself; texts as they were written.
struct LogArguments {
  std::string file, format, timezone, gpu_count, period, skip_bad, columns, year, date_order;
  std::vector<std::string> map;
  bool decimal_comma = false;
};

/// Declares the options that reading a log takes, beside its file.
void add_log_options(CLI::App* app, LogArguments& log);

/// What the readers take. Throws UserError for a text that is no such value.
traces::PowerLogOptions log_options(const LogArguments& log);

}  // namespace joulecast::cli
