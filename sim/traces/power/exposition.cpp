#include "traces/power/exposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "traces/cell_values.hpp"
#include "traces/excerpt.hpp"
#include "traces/grid/json.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

constexpr std::string_view kScrape = "# scrape ";

bool name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '.'; }

std::optional<double> metric_number(std::string_view text) {
  if (text == "NaN" || text == "nan") return std::nan("");
  if (text == "+Inf" || text == "Inf" || text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-Inf" || text == "-inf") return -std::numeric_limits<double>::infinity();
  return read_double(text);
}

/// Takes `label="value"` from the front of `text`; false where none stands there.
bool take_label(std::string_view& text, std::pair<std::string, std::string>& label) {
  std::size_t end = 0;
  while (end < text.size() && name_char(text[end])) ++end;
  if (end == 0) return false;
  label.first = text.substr(0, end);
  label.second.clear();
  text = trimmed_cell(text.substr(end));
  if (!text.starts_with('=')) return false;
  text = trimmed_cell(text.substr(1));
  if (!text.starts_with('"')) return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text = trimmed_cell(text.substr(i + 1));
      return true;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    label.second += text[i];
  }
  return false;
}

std::int64_t scrape_time(std::string_view written, StampClock& clock, const Place& place) {
  written = trimmed_cell(written);
  std::int64_t ns = 0;
  if (read_log_seconds(written, 1, ns)) return ns;
  if (const auto civil = read_civil(written, DateOrder::ymd)) return clock.moment(*civil, place);
  throw UserError(place, fmt::format("\"{}\" is no time of a scrape", excerpt(written)),
                  "write \"# scrape 1772355600.25\", or an ISO 8601 date and time");
}

Metrics read_text(const SeriesText& text, const PowerLogOptions& options, const std::function<bool(const std::string&)>& keeps, PowerLog& log) {
  Metrics metrics;
  std::vector<MetricSample> undated;
  BadLines bad(text.name(), options.skip_bad);
  StampClock clock(options.timezone, options.place);
  TextLines lines = text.lines();
  std::set<std::string, std::less<>> seen;
  bool marked = false, any_timed = false, civil = false;
  std::int64_t now = 0;
  const double period = options.period > 0 ? options.period : 1.0;
  while (lines.next()) {
    const std::string_view line = trimmed_cell(lines.line());
    if (line.starts_with(kScrape)) {
      std::int64_t ignored = 0;
      civil = civil || !read_log_seconds(line.substr(kScrape.size()), 1, ignored);
      now = scrape_time(line.substr(kScrape.size()), clock, {lines.name(), lines.number(), 1});
      marked = true;
      seen.clear();
      continue;
    }
    if (line.empty() || line.starts_with('#')) continue;
    MetricSample sample;
    bool timed = false;
    if (!read_metric_line(line, sample, timed)) {
      if (!lines.terminated()) {
        ++log.source.dropped["torn last row"];
      } else {
        bad.add(lines.number(), line, "a line that is no metric");
      }
      continue;
    }
    if (!keeps(sample.name)) continue;
    if (!marked && !timed && !seen.emplace(line.substr(0, line.rfind(' '))).second) {
      seen.clear();
      seen.emplace(line.substr(0, line.rfind(' ')));
      now += static_cast<std::int64_t>(period * 1e9);
    }
    any_timed = any_timed || timed;
    if (!timed) sample.time_ns = now;
    (timed || marked ? metrics.samples : undated).push_back(std::move(sample));
  }
  bad.settle(log);
  if (marked || any_timed) {
    metrics.base = civil ? clock.base() : TimeBase::utc;
    if (!undated.empty()) log.source.dropped["no time"] += undated.size();
  } else {
    metrics.samples = std::move(undated);
    metrics.base = options.period > 0 ? TimeBase::monotonic : TimeBase::numbered;
  }
  return metrics;
}

Metrics read_range(const SeriesText& text, const std::function<bool(const std::string&)>& keeps) {
  const nlohmann::json all = parse_json(text);
  const std::string& file = text.name();
  const auto* data = all.is_object() && all.contains("data") ? &all["data"] : &all;
  if (!data->is_object() || !data->contains("result") || !(*data)["result"].is_array()) {
    throw UserError({file, 0, 0}, "the file is no answer of Prometheus: it has no list data.result", "take it from /api/v1/query_range");
  }
  Metrics metrics;
  metrics.base = TimeBase::utc;
  std::size_t number = 0;
  for (const auto& series : (*data)["result"]) {
    const std::string where = fmt::format("result[{}]", number++);
    MetricSample sample;
    if (!series.is_object() || !series.contains("metric") || !series["metric"].is_object()) {
      throw UserError({file, 0, 0}, fmt::format("{} has no \"metric\"", where), "take the file from /api/v1/query_range");
    }
    for (const auto& [key, value] : series["metric"].items()) {
      if (!value.is_string()) continue;
      if (key == "__name__") {
        sample.name = value.get<std::string>();
      } else {
        sample.labels.emplace_back(key, value.get<std::string>());
      }
    }
    if (sample.name.empty()) {
      throw UserError({file, 0, 0}, fmt::format("{} has no \"__name__\": the query was a function of a metric", where), "query the metric itself");
    }
    if (!keeps(sample.name)) continue;
    const char* key = series.contains("values") ? "values" : "value";
    nlohmann::json values = series.contains(key) ? series[key] : nlohmann::json::array();
    if (std::string_view(key) == "value") values = nlohmann::json::array({values});
    for (const auto& point : values) {
      const bool pair = point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_string();
      const std::string digits = pair ? point[1].get<std::string>() : "";
      const auto value = metric_number(digits);
      if (!value || !read_log_seconds(point[0].dump(), 1, sample.time_ns)) {
        throw UserError({file, 0, 0}, fmt::format("{} has a value that is no [time, \"number\"]: {}", where, excerpt(point.dump(), 40)),
                        "fetch the file again");
      }
      sample.value = *value;
      sample.digits = digits;
      metrics.samples.push_back(sample);
    }
  }
  return metrics;
}

}  // namespace

std::string MetricSample::label(std::initializer_list<std::string_view> names) const {
  for (const std::string_view wanted : names) {
    for (const auto& [key, text] : labels) {
      if (key == wanted) return text;
    }
  }
  return "";
}

bool read_metric_line(std::string_view line, MetricSample& sample, bool& timed) {
  std::size_t end = 0;
  while (end < line.size() && name_char(line[end])) ++end;
  if (end == 0) return false;
  sample.name = line.substr(0, end);
  std::string_view rest = trimmed_cell(line.substr(end));
  if (rest.starts_with('{')) {
    rest = trimmed_cell(rest.substr(1));
    while (!rest.starts_with('}')) {
      std::pair<std::string, std::string> label;
      if (!take_label(rest, label)) return false;
      sample.labels.push_back(std::move(label));
      if (rest.starts_with(',')) rest = trimmed_cell(rest.substr(1));
    }
    rest = trimmed_cell(rest.substr(1));
  }
  const std::size_t blank = rest.find(' ');
  const std::string_view digits = rest.substr(0, blank);
  const auto value = metric_number(digits);
  if (!value) return false;
  sample.value = *value;
  sample.digits = digits;
  timed = blank != std::string_view::npos;
  return !timed || read_log_seconds(rest.substr(blank + 1), 1e-3, sample.time_ns);
}

Metrics read_metrics(const SeriesText& text, const PowerLogOptions& options, const std::function<bool(const std::string&)>& keeps, PowerLog& log) {
  TextLines lines = text.lines();
  bool json = false;
  while (lines.next()) {
    const std::string_view line = trimmed_cell(lines.line());
    if (line.empty()) continue;
    json = line.starts_with('{') || line.starts_with('[');
    break;
  }
  Metrics metrics = json ? read_range(text, keeps) : read_text(text, options, keeps, log);
  std::stable_sort(metrics.samples.begin(), metrics.samples.end(),
                   [](const MetricSample& a, const MetricSample& b) { return a.time_ns < b.time_ns; });
  return metrics;
}

}  // namespace joulecast::traces
