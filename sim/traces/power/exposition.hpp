#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/grid/text.hpp"
#include "traces/power/log.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::traces {

/// One value of one metric of Prometheus.
struct MetricSample {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
  double value = 0;
  std::string digits;  ///< the value as it is written
  std::int64_t time_ns = 0;

  /// A label's value; "" where it has none of these names.
  std::string label(std::initializer_list<std::string_view> names) const;
};

/// Reads `name{label="value", ...} 12.5 [milliseconds]`; the time is left as it is where the line has none. False for anything else.
bool read_metric_line(std::string_view line, MetricSample& sample, bool& timed);

/// What was scraped from an exporter, in order of time.
struct Metrics {
  std::vector<MetricSample> samples;
  TimeBase base = TimeBase::numbered;
};

/// Reads the answers of an exporter, one behind the other in one file, or Prometheus's JSON answer to a range query. Times are, in this order: a time on
/// the line (milliseconds), a comment "# scrape TIME" before each answer (seconds since 1970, or an ISO 8601 date and time), or the number of the
/// answer, which counts in a log without any time alone: beside times, metrics without one are left out and counted. Only metrics whose name `keeps` accepts are kept. Lines that are no metric count as `log.source.dropped`, as far as `options.skip_bad` allows.
Metrics read_metrics(const SeriesText& text, const PowerLogOptions& options, const std::function<bool(const std::string&)>& keeps, PowerLog& log);

}  // namespace joulecast::traces
