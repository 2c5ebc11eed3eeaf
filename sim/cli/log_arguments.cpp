#include "cli/log_arguments.hpp"

#include "cli/options_impl.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/plain_columns.hpp"

namespace joulecast::cli {

using detail::add_text;
using detail::usage_error;
using detail::whole_number;

void add_log_options(CLI::App* app, LogArguments& log) {
  add_text(app, "--timezone", log.timezone, "ZONE", "Zone of times without an offset: IANA name, UTC or +01:00");
  add_text(app, "--format", log.format, "NAME", "The log's format (default: found by its first lines)");
  add_text(app, "--columns", log.columns, "NAMES", "nvidia-smi without a header: what --query-gpu was given");
  app->add_option("--map", log.map, "Plain CSV: what a column is (power=board_W:mW); may be given again")
      ->option_text("QUANTITY=COLUMN:UNIT")
      ->allow_extra_args(false)
      ->take_all();
  add_text(app, "--gpu-count", log.gpu_count, "N", "A log without a GPU column: its rows go round so many GPUs");
  add_text(app, "--period", log.period, "TIME", "A log without times: time between polls (\"250 ms\")");
  add_text(app, "--skip-bad", log.skip_bad, "N", "Leaves out so many lines that are no rows, and quotes them");
  add_text(app, "--year", log.year, "YEAR", "vLLM's log lines: the year in which they begin");
  add_text(app, "--date-order", log.date_order, "ORDER", "MLPerf's spl.txt: dmy or mdy, where its dates do not tell");
  app->add_flag("--decimal-comma", log.decimal_comma, "Columns parted by ';', decimals by ','");
}

traces::PowerLogOptions log_options(const LogArguments& log) {
  traces::PowerLogOptions options;
  options.file = log.file;
  options.format = log.format;
  options.timezone = log.timezone;
  options.decimal_comma = log.decimal_comma;
  if (!log.gpu_count.empty()) options.gpu_count = whole_number("--gpu-count", log.gpu_count, 1, 4096);
  if (!log.skip_bad.empty()) options.skip_bad = whole_number("--skip-bad", log.skip_bad, 0, 1'000'000);
  if (!log.year.empty()) options.year = whole_number("--year", log.year, 1990, 2150);
  if (!log.columns.empty()) traces::split_cells(log.columns, ',', options.columns);
  for (const std::string& text : log.map) options.mapping.push_back(traces::read_mapping(text, {}));
  if (!log.period.empty()) {
    const traces::MeasuredCell read = traces::read_measured(log.period, traces::Dimension::time, "", "s");
    if (read.kind != traces::MeasuredCell::Kind::value || read.value < 1e-4 || read.value > 86400) {
      usage_error(fmt::format("--period \"{}\" is no time from 0.1 ms to a day", log.period), "write --period \"250 ms\"");
    }
    options.period = read.value;
  }
  if (log.date_order == "dmy") options.date_order = traces::DateOrder::dmy;
  if (log.date_order == "mdy") options.date_order = traces::DateOrder::mdy;
  if (!log.date_order.empty() && !options.date_order)
    usage_error(fmt::format("--date-order \"{}\" is not known", log.date_order), "write dmy or mdy");
  return options;
}

}  // namespace joulecast::cli
