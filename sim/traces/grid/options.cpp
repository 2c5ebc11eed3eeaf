#include "traces/grid/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "traces/grid/formats.hpp"

namespace joulecast::traces {
namespace {

using config::Bounds;
using config::Diagnostics;
using config::Node;

void read_format(SeriesOptions& options, const Node& node, Diagnostics& diagnostics) {
  const auto* word = node.as<std::string>();
  if (word == nullptr) {
    diagnostics.error(node.place(), fmt::format("format is {}, expected a string", node.kind()),
                      fmt::format("write one of {}", fmt::join(series_formats(), ", ")));
    return;
  }
  options.format = *word;
  if (find_format(*word) != nullptr) return;
  const std::string near = config::nearest(*word, series_formats());
  diagnostics.error(node.place(), fmt::format("there is no series format \"{}\"", *word),
                    near.empty() ? fmt::format("known: {}", fmt::join(series_formats(), ", ")) : fmt::format("did you mean \"{}\"?", near));
}

/// Every key that only some formats take, whether it stands there, and a value for remedies.
struct Given {
  SeriesKey key;
  bool stands;
  const char* example;
};

std::vector<Given> given_keys(const SeriesOptions& options) {
  return {{SeriesKey::location, !options.location.empty(), "location = \"...\""},
          {SeriesKey::sequence, options.sequence.has_value(), "sequence = 1"},
          {SeriesKey::factor, !options.factor.empty(), "factor = \"direct\" or factor = \"life_cycle\""},
          {SeriesKey::unit, !options.unit.empty(), "unit = \"EUR/MWh\" or unit = \"g/kWh\""},
          {SeriesKey::timezone, !options.timezone.empty(), "timezone = \"UTC\" or timezone = \"Europe/Berlin\""},
          {SeriesKey::time, !options.time_column.empty(), "time = \"header of the column\""},
          {SeriesKey::value, !options.value_column.empty(), "value = \"header of the column\""},
          {SeriesKey::date_order, options.date_order.has_value(), "date_order = \"dmy\""},
          {SeriesKey::interval, !options.interval.empty(), "interval = \"start\" or interval = \"end\""},
          {SeriesKey::resolution, options.resolution.has_value(), "resolution = \"1 h\""}};
}

void check_keys(const SeriesOptions& options, const Place& place, Diagnostics& diagnostics) {
  const SeriesFormat* format = find_format(options.format);
  if (format == nullptr) return;
  const auto in = [](const std::vector<SeriesKey>& keys, SeriesKey key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
  for (const Given& given : given_keys(options)) {
    if (given.stands && !in(format->takes, given.key) && !in(format->needs, given.key)) {
      diagnostics.error(place, fmt::format("format \"{}\" takes no {}", format->name, key_name(given.key)), "leave the key out");
    } else if (!given.stands && in(format->needs, given.key)) {
      diagnostics.error(place, fmt::format("format \"{}\" needs {}: {}", format->name, key_name(given.key), key_reason(given.key)),
                        fmt::format("add {}", given.example));
    }
  }
}

}  // namespace

config::Record<SeriesOptions> series_record() {
  config::Record<SeriesOptions> record("series");
  record.place(&SeriesOptions::place)
      .required("file", &SeriesOptions::file, Bounds::any(), "the series; a relative path starts at the folder of this file")
      .custom("format", fmt::format("one of {}", fmt::join(series_formats(), " | ")), "", "the file's format", read_format, true)
      .optional("location", &SeriesOptions::location, "the file's only one", Bounds::any(), "area, zone, node or bus, where the file has several")
      .optional("sequence", &SeriesOptions::sequence, "the file's only one", Bounds::between(0, 99), "auction sequence, with \"entsoe\"")
      .optional("factor", &SeriesOptions::factor, "", Bounds::any(), "\"direct\" or \"life_cycle\", with \"electricitymaps\"")
      .optional("unit", &SeriesOptions::unit, "", Bounds::any(), "unit of the values, where the file does not say it: \"EUR/MWh\", \"lb/MWh\"")
      .optional("timezone", &SeriesOptions::timezone, "", Bounds::any(), "IANA zone, \"UTC\" or fixed offset of times that are written without one")
      .optional("time", &SeriesOptions::time_column, "", Bounds::any(), "header of the column of times, with \"csv\"")
      .optional("value", &SeriesOptions::value_column, "", Bounds::any(), "header of the column of values, with \"csv\" and \"watttime\"");
  record.custom("date_order", "one of ymd | dmy | mdy", "\"ymd\"", "order of a date's parts, with \"csv\"",
                [](SeriesOptions& options, const Node& node, Diagnostics& diagnostics) {
                  const auto* word = node.as<std::string>();
                  if (word != nullptr && *word == "ymd") options.date_order = DateOrder::ymd;
                  if (word != nullptr && *word == "dmy") options.date_order = DateOrder::dmy;
                  if (word != nullptr && *word == "mdy") options.date_order = DateOrder::mdy;
                  if (!options.date_order) diagnostics.error(node.place(), "date_order is not known", "write \"ymd\", \"dmy\" or \"mdy\"");
                });
  record.optional("interval", &SeriesOptions::interval, "\"start\"", Bounds::any(), "\"start\" or \"end\": what of its interval a row's time is")
      .optional("resolution", &SeriesOptions::resolution, "the usual distance of rows", Bounds::between(1, 366 * 86400.0),
                "how long a row lasts, where rows do not say it")
      .choice("gaps", &SeriesOptions::gaps, {{"error", Gaps::error}, {"hold", Gaps::hold}, {"interpolate", Gaps::interpolate}}, "\"error\"",
              "what becomes of missing values: the run is refused, the last value goes on, or a line between the neighbours; fills are counted")
      .optional("repeat", &SeriesOptions::repeat, "false", Bounds::any(), "the series again and again, before its start too, by its own length")
      .optional("torn_last_row", &SeriesOptions::torn_last_row, "\"error\"", Bounds::any(), "\"error\" or \"drop\": a last row that was cut off")
      .check([](const SeriesOptions& options, const Place& place, Diagnostics& diagnostics) {
        const auto one_of = [&](const char* key, const std::string& word, std::initializer_list<const char*> words) {
          if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) return;
          diagnostics.error(place, fmt::format("{} = \"{}\" is not known", key, word), fmt::format("write \"{}\"", fmt::join(words, "\" or \"")));
        };
        one_of("factor", options.factor, {"direct", "life_cycle"});
        one_of("interval", options.interval, {"start", "end"});
        one_of("torn_last_row", options.torn_last_row, {"error", "drop"});
        check_keys(options, place, diagnostics);
      });
  return record;
}

std::string series_path(const SeriesOptions& options) {
  return options.place.file.empty() ? options.file : config::resolve_path(options.file, options.place);
}

}  // namespace joulecast::traces
