#include <algorithm>
#include <string>
#include <vector>

#include "calibration/log_facts.hpp"
#include "cli/commands.hpp"
#include "cli/inspect_others.hpp"
#include "cli/inspect_power.hpp"
#include "cli/log_arguments.hpp"
#include "traces/chassis/log.hpp"
#include "traces/load/log.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::cli {
namespace {

void say(const std::vector<std::string>& notes, const std::vector<std::string>& warnings, Console& console) {
  for (const std::string& warning : warnings) console.message("warning: " + warning);
  for (const std::string& note : notes) console.note(note);
}

/// What kind of log the file is, by its own look or by the format that was stated.
enum class LogKind { power, load, chassis };
LogKind kind_of(const traces::PowerLogOptions& options) {
  const auto is = [&](const std::vector<std::string>& formats) { return std::find(formats.begin(), formats.end(), options.format) != formats.end(); };
  if (is(traces::load_log_formats())) return LogKind::load;
  if (is(traces::chassis_log_formats())) return LogKind::chassis;
  if (!options.format.empty() || !options.mapping.empty() || !options.columns.empty()) return LogKind::power;
  const traces::SeriesText text(options.file, options.place);
  if (!traces::find_load_format(text).empty()) return LogKind::load;
  if (!traces::find_chassis_format(text).empty()) return LogKind::chassis;
  return LogKind::power;
}

}  // namespace

int calibrate_inspect(const CalibrateInspectArguments& arguments, Console& console) {
  const traces::PowerLogOptions options = log_options(arguments.log);
  switch (kind_of(options)) {
    case LogKind::load: {
      const traces::LoadLog log = traces::read_load_log(options);
      say(log.notes, log.warnings, console);
      console.print(arguments.json ? load_json(log).dump(2) + "\n" : load_text(log, console));
      return kDone;
    }
    case LogKind::chassis: {
      const traces::ChassisLog log = traces::read_chassis_log(options);
      say(log.notes, log.warnings, console);
      console.print(arguments.json ? chassis_json(log).dump(2) + "\n" : chassis_text(log, console));
      return kDone;
    }
    case LogKind::power:
      break;
  }
  const traces::PowerLog log = traces::read_power_log(options);
  const calibration::LogFacts facts = calibration::log_facts(log);
  say(log.notes, log.warnings, console);
  say({}, facts.warnings, console);
  console.print(arguments.json ? power_json(log, facts).dump(2) + "\n" : power_text(log, facts, console));
  return kDone;
}

}  // namespace joulecast::cli
