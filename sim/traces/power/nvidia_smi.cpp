#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/log_builder.hpp"
#include "traces/power/log_readers.hpp"
#include "traces/power/poll_pattern.hpp"
#include "traces/power/smi_columns.hpp"
#include "traces/power/stamp_clock.hpp"

namespace joulecast::traces {
namespace {

using Role = SmiColumn::Role;

/// Why a row is none; nothing where it is one. `torn`: a last line that breaks off.
struct Fault {
  std::string why;
  bool torn = false;
};

class SmiReader {
 public:
  SmiReader(const SeriesText& text, const PowerLogOptions& options)
      : options_(options), lines_(text.lines()), bad_(text.name(), options.skip_bad), clock_(options.timezone, options.place) {
    log_.source.file = text.name();
    log_.source.format = "nvidia-smi";
    log_.source.timezone = options.timezone;
  }

  PowerLog read() {
    find_columns();
    if (!has(Role::quantity)) throw_no_power();
    require_power();
    while (lines_.next()) take();
    return finish();
  }

 private:
  char delimiter() const { return options_.decimal_comma ? ';' : ','; }
  bool has(Role role) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const SmiColumn& column) { return column.role == role; });
  }

  void find_columns() {
    if (!options_.columns.empty()) {
      const auto given = read_smi_header(options_.columns);
      if (!given) {
        throw UserError(options_.place, fmt::format("--columns names none of nvidia-smi's: {}", fmt::join(options_.columns, ",")),
                        "give what --query-gpu was given: --columns timestamp,index,power.draw");
      }
      columns_ = *given;
      declared_ = true;
      return;
    }
    while (lines_.next()) {
      if (trimmed_cell(lines_.line()).empty()) continue;
      split_cells(lines_.line(), delimiter(), cells_);
      if (const auto header = read_smi_header(cells_)) {
        columns_ = *header;
        header_ = cells_;
        return;
      }
      if (cells_.size() < 2 && delimiter() == ',') refuse_semicolons();
      if (is_smi_time(cells_.front())) {
        if (const auto inferred = infer_smi_columns(cells_)) {
          columns_ = *inferred;
          log_.warnings.push_back(fmt::format(
              "the log has no header: by the form of line {} its columns are taken as a time, {}watts; --columns says what --query-gpu was given",
              lines_.number(), has(Role::index) ? "the GPU's index and " : ""));
          take();
          return;
        }
        bad_.settle(log_);
        throw UserError({lines_.name(), lines_.number(), 1}, fmt::format("the log has no header: \"{}\"", excerpt(lines_.line(), 100)),
                        "say what --query-gpu was given: --columns timestamp,index,power.draw");
      }
      bad_.add(lines_.number(), lines_.line(), "a line that is no row");
    }
    bad_.settle(log_);
  }

  void refuse_semicolons() {
    split_cells(lines_.line(), ';', cells_);
    if (!read_smi_header(cells_)) return;
    throw UserError({lines_.name(), lines_.number(), 1}, "the columns are parted by semicolons, as a spreadsheet writes them",
                    "say that decimals have a comma too: --decimal-comma, or export the log with commas and decimal points");
  }

  void require_power() const {
    for (const SmiColumn& column : columns_) {
      if (column.role != Role::quantity) continue;
      if (dimension(column.quantity) == Dimension::power && column.quantity != LogQuantity::limit) return;
      if (column.quantity == LogQuantity::energy) return;
    }
    throw_no_power();
  }
  [[noreturn]] void throw_no_power() const {
    std::vector<std::string> names;
    for (const std::string& name : header_) names.push_back(excerpt(name));
    throw UserError({lines_.name(), std::max(1, lines_.number()), 1}, fmt::format("no power column; the log has: {}", fmt::join(names, ", ")),
                    "log power.draw.instant, power.draw.average or power.draw (nvidia-smi --query-gpu=timestamp,index,power.draw.instant,...)");
  }

  void take() {
    if (trimmed_cell(lines_.line()).empty()) return;
    split_cells(lines_.line(), delimiter(), cells_);
    const char first = cells_.front().empty() ? '0' : cells_.front().front();
    const bool wordy = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    if (wordy && (cells_ == header_ || (cells_.size() == columns_.size() && read_smi_header(cells_)))) {
      header_ = declared_ ? header_ : cells_;
      if (seen_ > 0 || !declared_) ++log_.source.dropped["the header again"];
      return;
    }
    ++seen_;
    LogSample sample;
    const Fault fault = read_row(sample);
    if (fault.why.empty()) return;
    if (fault.torn && !lines_.terminated()) {
      ++log_.source.dropped["torn last row"];
      log_.notes.push_back(fmt::format("the last row breaks off (line {}: \"{}\") and is left out", lines_.number(), excerpt(lines_.line(), 60)));
      return;
    }
    bad_.add(lines_.number(), lines_.line(), fault.why);
  }

  Fault read_row(LogSample& sample) {
    if (cells_.size() != columns_.size()) {
      return {fmt::format("{} cells, expected {}", cells_.size(), columns_.size()), cells_.size() < columns_.size()};
    }
    std::string index, uuid, model;
    std::optional<CivilTime> time;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const SmiColumn& column = columns_[i];
      const std::string& cell = cells_[i];
      const bool last = i + 1 == columns_.size();
      if (column.role == Role::time) {
        std::string written = cell;
        if (options_.decimal_comma) std::replace(written.begin(), written.end(), ',', '.');
        time = read_civil(written, DateOrder::ymd);
        if (!time) return {fmt::format("\"{}\" is no time", excerpt(cell)), last};
      } else if (column.role == Role::index) {
        index = cell;
      } else if (column.role == Role::uuid) {
        uuid = cell;
      } else if (column.role == Role::model) {
        model = cell;
      } else if (column.role == Role::driver) {
        if (log_.source.driver.empty() && !means_no_reading(cell)) log_.source.driver = cell;
      } else if (column.role != Role::ignored) {
        if (Fault fault = read_value(column, cell, last, sample); !fault.why.empty()) return fault;
      }
    }
    keep(sample, time, index, uuid, model);
    return {};
  }

  Fault read_value(const SmiColumn& column, const std::string& cell, bool last, LogSample& sample) {
    double& value = sample[column.quantity];
    if (column.role == Role::flag) {
      if (cell == "Active") value = (std::isnan(value) ? 0 : value) + column.bit;
      if (cell == "Not Active" && std::isnan(value)) value = 0;
      const bool known = cell == "Active" || cell == "Not Active" || means_no_reading(cell);
      return known ? Fault{} : Fault{fmt::format("read \"{}\" as {}", excerpt(cell), column.header), last};
    }
    if (column.role == Role::mask) {
      std::uint64_t mask = 0;
      const bool hex = cell.starts_with("0x");
      const auto [end, failure] = std::from_chars(cell.data() + (hex ? 2 : 0), cell.data() + cell.size(), mask, 16);
      if (hex && failure == std::errc() && end == cell.data() + cell.size()) value = static_cast<double>(mask & kExactBits);
      return hex || means_no_reading(cell) ? Fault{} : Fault{fmt::format("read \"{}\" as {}", excerpt(cell), column.header), last};
    }
    const bool state = column.quantity == LogQuantity::performance_state;
    const std::string_view digits = state && cell.starts_with('P') ? std::string_view(cell).substr(1) : std::string_view(cell);
    const MeasuredCell read = read_measured(digits, dimension(column.quantity), column.unit, usual_unit(column.quantity), options_.decimal_comma);
    if (read.kind == MeasuredCell::Kind::value) {
      if (last && !lines_.terminated() && !whole_end(cell, read.has_unit)) return {"the last cell breaks off", true};
      if (last) {
        last_cell_ = cell;
        last_has_unit_ = read.has_unit;
      }
      value = read.value;
    }
    if (read.kind == MeasuredCell::Kind::value || read.kind == MeasuredCell::Kind::missing) return {};
    return {fmt::format("read \"{}\" as {}", excerpt(cell), column.header), last};
  }

  /// Whether the last cell of a line without a line end has what the rows above have there: a unit, as many decimals.
  bool whole_end(const std::string& cell, bool has_unit) const {
    if (last_cell_.empty()) return true;
    const auto decimals = [](const std::string& text) {
      const std::size_t point = text.find('.');
      return point == std::string::npos                                             ? std::size_t{0}
             : text.find_first_not_of("0123456789", point + 1) == std::string::npos ? text.size() - point
                                                                                    : 0;
    };
    return has_unit == last_has_unit_ && (has_unit || decimals(cell) == decimals(last_cell_));
  }

  void keep(LogSample& sample, const std::optional<CivilTime>& time, const std::string& index, const std::string& uuid, const std::string& model) {
    const bool named = has(Role::index) || has(Role::uuid);
    const std::size_t number = rows_++;
    const std::size_t round = options_.gpu_count > 1 && !named ? static_cast<std::size_t>(options_.gpu_count) : 1;
    if (time) {
      sample.time_ns = clock_.moment(*time, {lines_.name(), lines_.number(), 1});
      if (!named) pattern_.add(sample.time_ns);
    } else {
      sample.time_ns = static_cast<std::int64_t>(static_cast<double>(number / round) * (options_.period > 0 ? options_.period : 1.0) * 1e9);
    }
    const std::string place = round > 1 ? std::to_string(number % round) : index;
    builder_.add(builder_.gpu(place, uuid, model), sample);
  }

  PowerLog finish() {
    for (const SmiColumn& column : columns_) {
      if (column.role == Role::quantity || column.role == Role::flag || column.role == Role::mask) builder_.column(column.quantity, column.header);
    }
    bad_.settle(log_);
    const bool named = has(Role::index) || has(Role::uuid);
    if (!named && options_.gpu_count < 2) refuse_unnamed();
    if (has(Role::time)) {
      log_.time_base = clock_.base();
      if (clock_.jumped_an_hour()) {
        log_.warnings.emplace_back("the times jump by an hour: a pause, or clocks that were set forward; --timezone tells them apart");
      }
    } else {
      log_.time_base = options_.period > 0 ? TimeBase::monotonic : TimeBase::numbered;
      log_.warnings.emplace_back(options_.period > 0 ? "the log has no times: they are counted from --period"
                                                     : "the log has no times: no energy comes from it; --period says how far apart polls are");
    }
    builder_.finish(log_);
    return std::move(log_);
  }

  void refuse_unnamed() const {
    const std::size_t cycle = has(Role::time) ? pattern_.samples_a_poll() : (options_.gpu_count == 1 ? 1 : rows_);
    if (cycle <= 1) return;
    throw UserError(
        {lines_.name(), 0, 0},
        has(Role::time) ? fmt::format("{} samples a poll with no gpu column", cycle) : fmt::format("{} samples with no gpu column", rows_),
        fmt::format("log the GPU's index too, or say how many GPUs the rows go round: --gpu-count {}", cycle));
  }

  const PowerLogOptions& options_;
  TextLines lines_;
  BadLines bad_;
  StampClock clock_;
  PollPattern pattern_;
  LogBuilder builder_;
  PowerLog log_;
  std::vector<SmiColumn> columns_;
  std::vector<std::string> header_, cells_;
  std::string last_cell_;
  bool last_has_unit_ = false, declared_ = false;
  std::size_t rows_ = 0, seen_ = 0;
};

}  // namespace

PowerLog read_nvidia_smi(const SeriesText& text, const PowerLogOptions& options) { return SmiReader(text, options).read(); }

}  // namespace joulecast::traces
