#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "traces/chassis/readers.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/measured_cell.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

/// A controller's time, in any of ipmitool's ways: "Thu Feb 15 11:34:55 2018", "02/15/2018 11:34:55", "09/03/2026 07:40:35 PM UTC". The parts are told by
/// their own form, not by where they stand.
std::optional<CivilTime> ipmi_time(std::string_view text) {
  constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::string date, clock, half, zone, day, year, month;
  for (const std::string& word : words_of(text)) {
    const bool digits = word.find_first_not_of("0123456789") == std::string::npos;
    const auto named = std::find(months.begin(), months.end(), word);
    if (word.find(':') != std::string::npos) {
      clock = word;
    } else if (word.find('/') != std::string::npos) {
      date = word;
    } else if (word == "AM" || word == "PM") {
      half = " " + word;
    } else if (word == "UTC" || word == "GMT") {
      zone = "Z";
    } else if (named != months.end()) {
      month = std::to_string(named - months.begin() + 1);
    } else if (digits && word.size() == 4) {
      year = word;
    } else if (digits && word.size() <= 2) {
      day = word;
    }
  }
  if (date.empty() && !month.empty()) date = month + "/" + day + "/" + year;
  return read_civil(date + " " + clock + half + zone, DateOrder::mdy);
}

/// Whether a sensor reads the whole machine, by the names that its makers give it: Dell, HPE, Lenovo, Supermicro, Huawei, Quanta.
bool reads_whole(const std::string& sensor) {
  constexpr std::array<std::string_view, 10> names = {"dcmi",      "pwr",          "pwr consumption", "power meter", "power consumption",
                                                      "sys power", "system power", "total power",     "node power",  "sys pwr"};
  std::string name = sensor;
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : (c == '_' ? ' ' : c);
  return std::find(names.begin(), names.end(), name) != names.end();
}

class IpmiReader {
 public:
  IpmiReader(const SeriesText& text, const PowerLogOptions& options)
      : options_(options), lines_(text.lines()), bad_(text.name(), options.skip_bad), clock_(options.timezone, options.place) {
    log_.source.file = text.name();
    log_.source.timezone = options.timezone;
  }

  ChassisLog read() {
    while (lines_.next()) take(trimmed_cell(lines_.line()));
    flush();
    PowerLog settled;
    bad_.settle(settled);
    log_.notes.insert(log_.notes.end(), settled.notes.begin(), settled.notes.end());
    for (const auto& [reason, count] : settled.source.dropped) log_.source.dropped[reason] += count;
    if (dated_) {
      log_.time_base = civil_ ? clock_.base() : TimeBase::utc;
    } else {
      log_.time_base = options_.period > 0 ? TimeBase::monotonic : TimeBase::numbered;
      log_.warnings.emplace_back("the readings have no times: write \"# scrape $(date +%s.%N)\" before each, or give --period");
    }
    builder_.finish(log_);
    return std::move(log_);
  }

 private:
  void take(std::string_view line) {
    constexpr std::string_view scrape = "# scrape ";
    if (line.starts_with(scrape)) {
      flush();
      scraped_ = read_time(trimmed_cell(line.substr(scrape.size())));
      if (!scraped_) bad_.add(lines_.number(), line, "no time of a scrape");
      return;
    }
    if (line.empty() || line.starts_with('#')) return;
    if (line.find('|') != std::string_view::npos) {
      sensor(line);
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      field(trimmed_cell(line.substr(0, colon)), trimmed_cell(line.substr(colon + 1)), line);
    } else {
      bad_.add(lines_.number(), line, "no field of ipmitool");
    }
  }

  std::optional<std::int64_t> read_time(std::string_view text) {
    std::int64_t ns = 0;
    if (read_log_seconds(text, 1, ns)) return ns;
    const auto civil = read_civil(text, DateOrder::ymd);
    if (!civil) return std::nullopt;
    civil_ = true;
    return clock_.moment(*civil, {lines_.name(), lines_.number(), 1});
  }

  /// A field of `dcmi power reading`.
  void field(std::string_view name, std::string_view value, std::string_view line) {
    if (name == "Instantaneous power reading") {
      flush();
      const MeasuredCell read = read_measured(value, Dimension::power, "", "W");
      if (read.kind != MeasuredCell::Kind::value) {
        bad_.add(lines_.number(), line, "a reading that is no watts");
        return;
      }
      watts_ = read.value;
    } else if (name == "IPMI timestamp") {
      const auto civil = ipmi_time(value);
      if (!civil) {
        bad_.add(lines_.number(), line, "a time that does not read");
        return;
      }
      if (scraped_) return;  // the host's clock is the one that other logs share
      civil_ = true;
      stamped_ = clock_.moment(*civil, {lines_.name(), lines_.number(), 1});
    }
  }

  /// "PSU1 Power In | 120 Watts | ok" of sdr, "Pwr | 77h | ok | 7.1 | 322 Watts" of sdr elist, "Pwr | 322.000 | Watts | ok | na | .." of sensor.
  void sensor(std::string_view line) {
    std::vector<std::string> cells;
    split_cells(line, '|', cells);
    const bool own_unit = cells.size() > 2 && cells[2] == "Watts";
    const auto found =
        own_unit ? cells.begin() + 1 : std::find_if(cells.begin() + 1, cells.end(), [](const std::string& cell) { return cell.ends_with("Watts"); });
    if (found == cells.end()) return;  // a temperature, a fan
    const MeasuredCell read = read_measured(*found, Dimension::power, "", "W");
    if (read.kind == MeasuredCell::Kind::wrong || read.kind == MeasuredCell::Kind::cut) {
      bad_.add(lines_.number(), line, "a reading that is no watts");
    } else if (read.kind == MeasuredCell::Kind::value) {
      add(cells[0], read.value);
    }
  }

  void flush() {
    if (!watts_) return;
    add("dcmi", *watts_);
    watts_.reset();
    stamped_.reset();
  }

  void add(const std::string& label, double watts) {
    const auto time = scraped_ ? scraped_ : stamped_;
    dated_ = dated_ || time.has_value();
    builder_.series(label).whole = reads_whole(label);
    if (time) {
      builder_.add(label, *time, watts);
      return;
    }
    const double period = options_.period > 0 ? options_.period : 1.0;
    builder_.add_undated(label, static_cast<std::int64_t>(static_cast<double>(undated_[label]++) * period * 1e9), watts);
  }

  const PowerLogOptions& options_;
  TextLines lines_;
  BadLines bad_;
  StampClock clock_;
  ChassisBuilder builder_;
  ChassisLog log_;
  std::optional<double> watts_;
  std::optional<std::int64_t> scraped_, stamped_;
  std::map<std::string, std::size_t> undated_;  ///< readings without a time, by sensor
  bool civil_ = false, dated_ = false;
};

}  // namespace

ChassisLog read_ipmitool(const SeriesText& text, const PowerLogOptions& options) { return IpmiReader(text, options).read(); }

}  // namespace joulecast::traces
