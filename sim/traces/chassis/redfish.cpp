#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/chassis/readers.hpp"
#include "traces/excerpt.hpp"
#include "traces/grid/json.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

using Json = nlohmann::json;

/// The last member of a path such as "/redfish/v1/Chassis/1/Power#/PowerControl/0/PowerConsumedWatts", and the path before it.
struct Property {
  std::string_view before, last;
};
Property property_of(std::string_view path) {
  const std::size_t at = path.find_last_of("/#");
  return at == std::string_view::npos ? Property{"", path} : Property{path.substr(0, at), path.substr(at + 1)};
}

/// Watts that are drawn: no capacity, limit, factor or state.
bool is_power(std::string_view path) {
  const Property property = property_of(path);
  return property.last == "PowerConsumedWatts" || property.last == "PowerInputWatts" || property.last == "PowerWatts" ||
         (property.last == "Reading" && property_of(property.before).last == "PowerWatts");
}

/// Whether it is the power of the whole chassis: the first PowerControl's, or EnvironmentMetrics' of a chassis.
bool is_whole(std::string_view path) {
  const Property property = property_of(path);
  if (property.last == "PowerConsumedWatts") return property.before.empty() || property_of(property.before).last == "0";
  if (property.last == "PowerInputWatts") return false;
  constexpr std::string_view parts[] = {"/PowerSupplies/", "/Processors/", "/Memory/"};
  return std::none_of(std::begin(parts), std::end(parts), [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

class RedfishReader {
 public:
  RedfishReader(const SeriesText& text, const PowerLogOptions& options)
      : text_(text), options_(options), bad_(text.name(), options.skip_bad), clock_(options.timezone, options.place) {
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
        if (!Json::accept(lines.line()) && !lines.terminated()) {
          ++log_.source.dropped["torn last row"];
          break;
        }
        line(std::string(lines.line()));
      }
      PowerLog settled;
      bad_.settle(settled);
      log_.notes = settled.notes;
      for (const auto& [reason, count] : settled.source.dropped) log_.source.dropped[reason] += count;
    } else {
      place_ = {text_.name(), 0, 0};
      take(parse_json(text_));
      keep();
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
  struct Reading {
    std::string label;
    std::optional<std::int64_t> time_ns;
    double watts;
    bool whole;
  };

  /// A line that is no resource counts as one of those that may be left out; nothing of it is kept.
  void line(const std::string& text) {
    number_ += 1;
    readings_.clear();
    if (!Json::accept(text)) {
      bad_.add(place_.line, text, "no JSON");
      return;
    }
    try {
      take(parse_json(SeriesText(text, text_.name())));
    } catch (const UserError& error) {
      bad_.add(place_.line, text, error.faults().front().what);
      return;
    }
    keep();
  }

  void keep() {
    const double period = options_.period > 0 ? options_.period : 1.0;
    for (const Reading& reading : readings_) {
      timed_ = timed_ || reading.time_ns.has_value();
      builder_.series(reading.label).whole = reading.whole;
      if (reading.time_ns) {
        builder_.add(reading.label, *reading.time_ns, reading.watts);
      } else {
        builder_.add_undated(reading.label, static_cast<std::int64_t>(static_cast<double>(number_ == 0 ? 0 : number_ - 1) * period * 1e9),
                             reading.watts);
      }
    }
  }

  void take(const Json& resource) {
    if (!resource.is_object()) throw UserError(place_, "no resource of Redfish: the JSON is no object", "give Power resources, or a MetricReport");
    if (resource.contains("MetricValues")) {
      report(resource["MetricValues"]);
      return;
    }
    std::optional<std::int64_t> time;
    if (const auto written = text_member(resource, "time", "the resource", text_.name())) time = moment(*written);
    list(resource, "PowerControl", "PowerConsumedWatts", "PowerControl", time);
    list(resource, "PowerSupplies", "PowerInputWatts", "PowerSupply", time);
    if (resource.contains("PowerWatts") && resource["PowerWatts"].is_object()) value(resource["PowerWatts"], "Reading", "PowerWatts", time, true);
    if (readings_.empty()) {
      throw UserError(place_, "the resource has no PowerControl[].PowerConsumedWatts, PowerSupplies[].PowerInputWatts or PowerWatts.Reading",
                      "take /redfish/v1/Chassis/1/Power, or .../EnvironmentMetrics");
    }
  }

  void list(const Json& resource, const char* name, const char* member, const std::string& label, std::optional<std::int64_t> time) {
    if (!resource.contains(name) || !resource[name].is_array()) return;
    std::size_t number = 0;
    for (const Json& each : resource[name]) {
      const std::string which = resource[name].size() == 1 ? label : fmt::format("{} {}", label, number);
      // The first PowerControl is the chassis's; others are of its nodes and accelerators.
      if (each.is_object()) value(each, member, which, time, number == 0 && label == "PowerControl");
      ++number;
    }
  }

  void value(const Json& object, const char* member, const std::string& label, std::optional<std::int64_t> time, bool whole) {
    const auto written = text_member(object, member, label, text_.name());
    if (!written) return;
    const auto watts = read_double(*written);
    if (!watts || *watts < 0)
      throw UserError(place_, fmt::format("{} of {} is {}, expected watts", member, label, excerpt(*written)), "correct the line, or delete it");
    readings_.push_back({label, time, *watts, whole});
  }

  void report(const Json& values) {
    if (!values.is_array()) throw UserError(place_, "MetricValues is no list", "fetch the MetricReport again");
    for (const Json& each : values) {
      const std::string property = text_member(each, "MetricProperty", "MetricValues[]", text_.name()).value_or("");
      const std::string id = text_member(each, "MetricId", "MetricValues[]", text_.name()).value_or("");
      const std::string& label = property.empty() ? id : property;
      if (!is_power(label)) continue;
      const auto written = text_member(each, "MetricValue", "MetricValues[]", text_.name()),
                 stamp = text_member(each, "Timestamp", "MetricValues[]", text_.name());
      if (!written) continue;
      const auto watts = read_double(*written);
      if (!watts) continue;
      if (*watts < 0) throw UserError(place_, fmt::format("{} is {}, expected watts", excerpt(label), excerpt(*written)), "correct it, or delete it");
      if (!stamp) {
        ++log_.source.dropped["no time"];
        continue;
      }
      readings_.push_back({label, moment(*stamp), *watts, is_whole(label)});
    }
    if (readings_.empty()) throw UserError(place_, "the report has no power with a time", "ask the telemetry service for PowerConsumedWatts");
    std::stable_sort(readings_.begin(), readings_.end(), [](const Reading& a, const Reading& b) { return *a.time_ns < *b.time_ns; });
  }

  std::int64_t moment(const std::string& written) {
    std::int64_t ns = 0;
    if (read_log_seconds(written, 1, ns)) return ns;
    const auto civil = read_civil(written, DateOrder::ymd);
    if (!civil) throw UserError(place_, fmt::format("\"{}\" is no time", excerpt(written)), "write seconds since 1970, or 2026-03-01T09:00:00Z");
    civil_ = true;
    return clock_.moment(*civil, place_);
  }

  const SeriesText& text_;
  const PowerLogOptions& options_;
  BadLines bad_;
  StampClock clock_;
  ChassisBuilder builder_;
  ChassisLog log_;
  Place place_;
  std::vector<Reading> readings_;
  std::size_t number_ = 0;
  bool timed_ = false, civil_ = false;
};

}  // namespace

ChassisLog read_redfish(const SeriesText& text, const PowerLogOptions& options) { return RedfishReader(text, options).read(); }

}  // namespace joulecast::traces
