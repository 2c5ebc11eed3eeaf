#pragma once

#include "traces/grid/text.hpp"
#include "traces/power/log.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::traces {

/// One reader a form of log; each fills everything but `source.file` and `source.sha256`. They throw as `read_power_log` does.
PowerLog read_nvidia_smi(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_dmon(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_record(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_dcgm(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_zeus_windows(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_zeus_monitor(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_codecarbon(const SeriesText& text, const PowerLogOptions& options);
PowerLog read_plain_log(const SeriesText& text, const PowerLogOptions& options);

/// The format of a log by its first lines. UserError for a text that is none: what it is taken for, where that is known.
std::string find_log_format(const SeriesText& text, const PowerLogOptions& options);

}  // namespace joulecast::traces
