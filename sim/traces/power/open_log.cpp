#include "traces/power/open_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/hash.hpp"
#include "config/node.hpp"
#include "traces/grid/text.hpp"
#include "traces/power/log_readers.hpp"

namespace joulecast::traces {
namespace {

struct LogFormat {
  std::string name;
  PowerLog (*read)(const SeriesText&, const PowerLogOptions&);
};

const std::vector<LogFormat>& formats() {
  static const std::vector<LogFormat> all = {{"nvidia-smi", read_nvidia_smi},
                                             {"dmon", read_dmon},
                                             {"record", read_record},
                                             {"dcgm", read_dcgm},
                                             {"dcgm-range", read_dcgm},
                                             {"zeus-windows", read_zeus_windows},
                                             {"zeus-monitor", read_zeus_monitor},
                                             {"codecarbon", read_codecarbon},
                                             {"csv", read_plain_log}};
  return all;
}

PowerLog read(const SeriesText& text, const PowerLogOptions& options) {
  std::string format = options.format;
  if (format.empty()) format = options.mapping.empty() ? find_log_format(text, options) : "csv";
  for (const LogFormat& each : formats()) {
    if (each.name != format) continue;
    PowerLog log = each.read(text, options);
    log.source.file = text.name();
    log.source.format = format;
    return log;
  }
  const std::string near = config::nearest(format, power_log_formats());
  throw UserError(options.place, fmt::format("there is no format of power logs \"{}\"", format),
                  near.empty() ? fmt::format("known: {}", fmt::join(power_log_formats(), ", ")) : fmt::format("did you mean \"{}\"?", near));
}

}  // namespace

const std::vector<std::string>& power_log_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LogFormat& format : formats()) all.push_back(format.name);
    return all;
  }();
  return names;
}

PowerLog read_power_log(const PowerLogOptions& options) {
  PowerLog log = read(SeriesText(options.file, options.place), options);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.file, ignored)) log.source.sha256 = sha256_of_file(options.file);
  return log;
}

PowerLog read_power_log_text(std::string_view text, const PowerLogOptions& options) {
  PowerLog log = read(SeriesText(text, options.file), options);
  log.source.sha256 = sha256(text);
  return log;
}

}  // namespace joulecast::traces
