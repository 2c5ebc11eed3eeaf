#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/log_builder.hpp"
#include "traces/power/log_readers.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/plain_columns.hpp"
#include "traces/power/poll_pattern.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

struct Quantity {
  std::string_view name;
  LogQuantity quantity;
};
constexpr Quantity kQuantities[] = {{"power", LogQuantity::draw},
                                    {"meter", LogQuantity::meter},
                                    {"average", LogQuantity::average},
                                    {"instant", LogQuantity::instant},
                                    {"energy", LogQuantity::energy},
                                    {"sm_clock", LogQuantity::sm_clock},
                                    {"memory_clock", LogQuantity::memory_clock},
                                    {"utilization", LogQuantity::utilization},
                                    {"temperature", LogQuantity::temperature},
                                    {"limit", LogQuantity::limit},
                                    {"memory_used", LogQuantity::memory_used}};

struct Wanted {
  std::size_t cell = kNone;
  std::string unit;
};

class PlainReader {
 public:
  PlainReader(const SeriesText& text, const PowerLogOptions& options)
      : options_(options), lines_(text.lines()), bad_(text.name(), options.skip_bad), clock_(options.timezone, options.place) {
    log_.source.timezone = options.timezone;
  }

  PowerLog read() {
    read_header();
    while (lines_.next()) {
      if (trimmed_cell(lines_.line()).empty() || lines_.line().starts_with('#')) continue;
      split_cells(lines_.line(), delimiter(), cells_);
      if (const std::string why = take(); !why.empty()) refuse(why);
    }
    bad_.settle(log_);
    if (gpu_.cell == kNone && uuid_.cell == kNone) {
      if (const std::size_t cycle = pattern_.samples_a_poll(); cycle > 1) {
        throw UserError({lines_.name(), 0, 0}, fmt::format("{} samples a poll with no gpu column", cycle), "map the GPU's column: --map gpu=COLUMN");
      }
    }
    log_.time_base = civil_ ? clock_.base() : (since_1970_ ? TimeBase::utc : TimeBase::monotonic);
    builder_.finish(log_);
    return std::move(log_);
  }

 private:
  char delimiter() const { return options_.decimal_comma ? ';' : ','; }

  void read_header() {
    do {
      if (!lines_.next()) throw UserError({lines_.name(), 0, 0}, "the file is empty", "it needs a line that names the columns, and rows behind it");
    } while (trimmed_cell(lines_.line()).empty() || lines_.line().starts_with('#'));
    split_cells(lines_.line(), delimiter(), header_);
    std::vector<UserFault> faults;
    for (const LogColumn& column : options_.mapping) {
      const auto found = std::find(header_.begin(), header_.end(), column.header);
      if (found == header_.end()) {
        faults.push_back(
            {{lines_.name(), lines_.number(), 1},
             fmt::format("no column \"{}\"; the file has: {}", excerpt(column.header), excerpt(fmt::format("{}", fmt::join(header_, ", ")), 300)),
             "correct --map"});
        continue;
      }
      const auto cell = static_cast<std::size_t>(found - header_.begin());
      const std::string unit = column.unit.empty() ? own_unit(*found) : column.unit;
      want(column.quantity, cell, unit, faults);
    }
    if (options_.mapping.empty()) {
      for (std::size_t i = 0; i < header_.size(); ++i) {
        const PlainColumn column = read_plain_header(header_[i]);
        if (!column.quantity.empty()) want(column.quantity, i, column.unit, faults);
      }
    }
    bool measured = false;
    for (const Quantity& each : kQuantities) {
      measured = measured || (each.quantity <= LogQuantity::energy && wanted_[static_cast<std::size_t>(each.quantity)].cell != kNone);
    }
    if (faults.empty() && (time_.cell == kNone || !measured)) {
      faults.push_back({{lines_.name(), lines_.number(), 1},
                        fmt::format("no column for {}; the file has: {}", time_.cell == kNone ? "the time" : "power or energy",
                                    excerpt(fmt::format("{}", fmt::join(header_, ", ")), 300)),
                        "map it: --map time=COLUMN:s --map power=COLUMN:W"});
    }
    if (!faults.empty()) throw UserError(std::move(faults));
  }

  static std::string own_unit(const std::string& header) {
    const HeaderCell cell = read_header_cell(header);
    return cell.unit.empty() ? read_plain_header(header).unit : cell.unit;
  }

  void want(const std::string& quantity, std::size_t cell, const std::string& unit, std::vector<UserFault>& faults) {
    const Place place{lines_.name(), lines_.number(), 1};
    if (quantity == "gpu") gpu_.cell = cell;
    if (quantity == "uuid") uuid_.cell = cell;
    if (quantity == "mark") mark_.cell = cell;
    if (quantity == "time") {
      time_ = {cell, unit};
      since_1970_ = read_header_cell(header_[cell]).name.find("unix") != std::string::npos ||
                    read_header_cell(header_[cell]).name.starts_with("epoch") || unit.starts_with("unix_");
      if (time_.unit.starts_with("unix_")) time_.unit = time_.unit.substr(5);
      if (!time_.unit.empty() && !unit_factor(time_.unit, Dimension::time)) {
        faults.push_back(
            {place, fmt::format("\"{}\" is no unit of time", excerpt(unit)), "write s, ms, us, ns; unix_s for seconds since 1970; none for dates"});
      }
    }
    for (const Quantity& each : kQuantities) {
      if (each.name != quantity) continue;
      Wanted& wanted = wanted_[static_cast<std::size_t>(each.quantity)];
      if (wanted.cell != kNone) {
        faults.push_back({place, fmt::format("two columns of {}: \"{}\" and \"{}\"", quantity, excerpt(header_[wanted.cell]), excerpt(header_[cell])),
                          "say which counts: --map power=COLUMN:W"});
        continue;
      }
      if (unit.empty() ? each.quantity <= LogQuantity::energy : !unit_factor(unit, dimension(each.quantity))) {
        faults.push_back({place,
                          fmt::format("column \"{}\" has {}", excerpt(header_[cell]),
                                      unit.empty() ? "no unit" : fmt::format("no unit of {}: \"{}\"", quantity, excerpt(unit))),
                          fmt::format("state it: --map {}={}:{}", quantity, excerpt(header_[cell]), usual_unit(each.quantity))});
      }
      wanted = {cell, unit};
      builder_.column(each.quantity, header_[cell]);
    }
  }

  void refuse(const std::string& why) {
    if (!lines_.terminated() && cells_.size() <= header_.size()) {
      ++log_.source.dropped["torn last row"];
      log_.notes.push_back(fmt::format("the last row breaks off (line {}) and is left out", lines_.number()));
    } else {
      bad_.add(lines_.number(), lines_.line(), why);
    }
  }

  /// Why the line is no row; "" where it is one.
  std::string take() {
    if (cells_.size() != header_.size()) return fmt::format("{} cells, expected {} as in the header", cells_.size(), header_.size());
    LogSample sample;
    if (!read_time(cells_[time_.cell], sample.time_ns)) return fmt::format("\"{}\" is no time", excerpt(cells_[time_.cell]));
    for (std::size_t q = 0; q < kLogQuantities; ++q) {
      const Wanted& wanted = wanted_[q];
      if (wanted.cell == kNone) continue;
      const auto quantity = static_cast<LogQuantity>(q);
      const MeasuredCell read = read_measured(cells_[wanted.cell], dimension(quantity), wanted.unit, usual_unit(quantity), options_.decimal_comma);
      if (read.kind == MeasuredCell::Kind::value) sample[quantity] = read.value;
      if (read.kind == MeasuredCell::Kind::cut || read.kind == MeasuredCell::Kind::wrong) {
        return fmt::format("read \"{}\" as {}", excerpt(cells_[wanted.cell]), excerpt(header_[wanted.cell]));
      }
    }
    if (mark_.cell != kNone && (log_.marks.empty() ? !cells_[mark_.cell].empty() : log_.marks.back().name != cells_[mark_.cell])) {
      log_.marks.push_back({sample.time_ns, cells_[mark_.cell]});
    }
    if (gpu_.cell == kNone && uuid_.cell == kNone) pattern_.add(sample.time_ns);
    const std::string index = gpu_.cell == kNone ? "" : cells_[gpu_.cell], uuid = uuid_.cell == kNone ? "" : cells_[uuid_.cell];
    builder_.add(builder_.gpu(index, uuid, ""), sample);
    return "";
  }

  bool read_time(const std::string& cell, std::int64_t& ns) {
    if (time_.unit.empty()) {
      const auto civil = read_civil(cell, DateOrder::ymd);
      if (!civil) return false;
      civil_ = true;
      ns = clock_.moment(*civil, {lines_.name(), lines_.number(), 1});
      return true;
    }
    std::string digits = cell;
    if (options_.decimal_comma) std::replace(digits.begin(), digits.end(), ',', '.');
    return read_log_seconds(digits, *unit_factor(time_.unit, Dimension::time), ns);
  }

  const PowerLogOptions& options_;
  TextLines lines_;
  BadLines bad_;
  StampClock clock_;
  PollPattern pattern_;
  LogBuilder builder_;
  PowerLog log_;
  std::vector<std::string> header_, cells_;
  Wanted time_, gpu_, uuid_, mark_;
  std::array<Wanted, kLogQuantities> wanted_;
  bool civil_ = false, since_1970_ = false;
};

}  // namespace

PowerLog read_plain_log(const SeriesText& text, const PowerLogOptions& options) { return PlainReader(text, options).read(); }

}  // namespace joulecast::traces
