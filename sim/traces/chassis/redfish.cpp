#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "traces/chassis/readers.hpp"
#include "traces/excerpt.hpp"
#include "traces/grid/json.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

using Json = nlohmann::json;

class RedfishReader {
 public:
  RedfishReader(const SeriesText& text, const PowerLogOptions& options) : text_(text), options_(options), clock_(options.timezone, options.place) {
    log_.source.file = text.name();
    log_.source.timezone = options.timezone;
  }

  ChassisLog read() {
    TextLines lines = text_.lines();
    // One resource a line, or one file that is a single resource or report.
    bool a_line_each = false;
    if (lines.next()) a_line_each = Json::accept(lines.line());
    if (a_line_each) {
      lines.rewind();
      while (lines.next()) {
        if (trimmed_cell(lines.line()).empty()) continue;
        place_ = {text_.name(), lines.number(), 1};
        if (!Json::accept(lines.line())) {
          if (lines.terminated()) throw UserError(place_, fmt::format("no JSON: \"{}\"", excerpt(lines.line())), "correct the line, or delete it");
          ++log_.source.dropped["torn last row"];
          break;
        }
        const std::string line(lines.line());
        take(parse_json(SeriesText(line, text_.name())));
      }
    } else {
      place_ = {text_.name(), 0, 0};
      take(parse_json(text_));
    }
    log_.time_base = civil_ ? clock_.base() : (timed_ ? TimeBase::utc : (options_.period > 0 ? TimeBase::monotonic : TimeBase::numbered));
    if (!timed_) {
      log_.warnings.emplace_back(
          "the resources have no times: add a member \"time\" to each line (jq -c --arg t \"$(date +%s.%N)\" '{time: $t} + .'), or --period");
    }
    builder_.finish(log_);
    return std::move(log_);
  }

 private:
  void take(const Json& resource) {
    if (!resource.is_object()) throw UserError(place_, "no resource of Redfish: the JSON is no object", "give Power resources, or a MetricReport");
    if (resource.contains("MetricValues")) {
      report(resource["MetricValues"]);
      return;
    }
    std::optional<std::int64_t> time;
    if (const auto written = text_member(resource, "time", "the resource", text_.name())) time = moment(*written);
    number_ += 1;
    const double period = options_.period > 0 ? options_.period : 1.0;
    const std::int64_t at = time.value_or(static_cast<std::int64_t>(static_cast<double>(number_ - 1) * period * 1e9));
    bool any = false;
    any = list(resource, "PowerControl", "PowerConsumedWatts", "PowerControl", at) || any;
    any = list(resource, "PowerSupplies", "PowerInputWatts", "PowerSupply", at) || any;
    if (resource.contains("PowerWatts") && resource["PowerWatts"].is_object())
      any = value(resource["PowerWatts"], "Reading", "PowerWatts", at) || any;
    if (!any) {
      throw UserError(place_, "the resource has no PowerControl[].PowerConsumedWatts, PowerSupplies[].PowerInputWatts or PowerWatts.Reading",
                      "take /redfish/v1/Chassis/1/Power, or .../EnvironmentMetrics");
    }
  }

  bool list(const Json& resource, const char* name, const char* member, const std::string& label, std::int64_t at) {
    if (!resource.contains(name) || !resource[name].is_array()) return false;
    bool any = false;
    std::size_t number = 0;
    for (const Json& each : resource[name]) {
      const std::string which = resource[name].size() == 1 ? label : fmt::format("{} {}", label, number);
      ++number;
      any = (each.is_object() && value(each, member, which, at)) || any;
    }
    return any;
  }

  bool value(const Json& object, const char* member, const std::string& label, std::int64_t at) {
    const auto written = text_member(object, member, label, text_.name());
    if (!written) return false;
    const auto watts = read_double(*written);
    if (!watts || *watts < 0)
      throw UserError(place_, fmt::format("{} of {} is {}, expected watts", member, label, excerpt(*written)), "correct the line, or delete it");
    builder_.add(label, at, *watts);
    return true;
  }

  void report(const Json& values) {
    if (!values.is_array()) throw UserError(place_, "MetricValues is no list", "fetch the MetricReport again");
    struct Reading {
      std::string label;
      std::int64_t time_ns;
      double watts;
    };
    std::vector<Reading> readings;
    for (const Json& each : values) {
      const std::string property = text_member(each, "MetricProperty", "MetricValues[]", text_.name()).value_or("");
      const std::string id = text_member(each, "MetricId", "MetricValues[]", text_.name()).value_or(property);
      if (property.find("Watts") == std::string::npos && id.find("Power") == std::string::npos && id.find("Watts") == std::string::npos) continue;
      const auto written = text_member(each, "MetricValue", "MetricValues[]", text_.name()),
                 stamp = text_member(each, "Timestamp", "MetricValues[]", text_.name());
      const auto watts = written ? read_double(*written) : std::nullopt;
      if (!watts || !stamp) continue;
      readings.push_back({property.empty() ? id : property, moment(*stamp), *watts});
    }
    if (readings.empty()) throw UserError(place_, "the report has no power with a time", "ask the telemetry service for PowerConsumedWatts");
    std::stable_sort(readings.begin(), readings.end(), [](const Reading& a, const Reading& b) { return a.time_ns < b.time_ns; });
    for (const Reading& reading : readings) builder_.add(reading.label, reading.time_ns, reading.watts);
  }

  std::int64_t moment(const std::string& written) {
    timed_ = true;
    std::int64_t ns = 0;
    if (read_log_seconds(written, 1, ns)) return ns;
    const auto civil = read_civil(written, DateOrder::ymd);
    if (!civil) throw UserError(place_, fmt::format("\"{}\" is no time", excerpt(written)), "write seconds since 1970, or 2026-03-01T09:00:00Z");
    civil_ = true;
    return clock_.moment(*civil, place_);
  }

  const SeriesText& text_;
  const PowerLogOptions& options_;
  StampClock clock_;
  ChassisBuilder builder_;
  ChassisLog log_;
  Place place_;
  std::size_t number_ = 0;
  bool timed_ = false, civil_ = false;
};

}  // namespace

ChassisLog read_redfish(const SeriesText& text, const PowerLogOptions& options) { return RedfishReader(text, options).read(); }

}  // namespace joulecast::traces
