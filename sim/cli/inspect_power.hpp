#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "calibration/log_facts.hpp"
#include "cli/console.hpp"
#include "traces/power/log.hpp"

namespace joulecast::cli {

/// The source of a log, for JSON: file, sha256, format, rows used and dropped by reason.
nlohmann::ordered_json source_json(const traces::LogSource& source);
/// "1,245 rows of log.csv (nvidia-smi), 1 left out (torn last row)".
std::string source_text(const traces::LogSource& source);
/// From when to when, as far as the log knows.
std::string span_text(traces::TimeBase base, std::int64_t begin_ns, std::int64_t end_ns);

/// A power log and what it says, as JSON (SI units; what is not known is left out) and for people.
nlohmann::ordered_json power_json(const traces::PowerLog& log, const calibration::LogFacts& facts);
std::string power_text(const traces::PowerLog& log, const calibration::LogFacts& facts, const Console& console);

}  // namespace joulecast::cli
