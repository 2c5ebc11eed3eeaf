#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/bad_lines.hpp"
#include "traces/power/log_builder.hpp"
#include "traces/power/log_readers.hpp"

namespace joulecast::traces {
namespace {

struct Known {
  std::string_view name;
  LogQuantity quantity;
  std::string_view unit;
};
constexpr Known kKnown[] = {{"power_average_w", LogQuantity::average, "W"}, {"power_instant_w", LogQuantity::instant, "W"},
                            {"power_draw_w", LogQuantity::draw, "W"},       {"energy_j", LogQuantity::energy, "J"},
                            {"sm_clock_hz", LogQuantity::sm_clock, "Hz"},   {"memory_clock_hz", LogQuantity::memory_clock, "Hz"},
                            {"utilization", LogQuantity::utilization, ""},  {"temperature_c", LogQuantity::temperature, "C"},
                            {"power_limit_w", LogQuantity::limit, "W"},     {"memory_used_bytes", LogQuantity::memory_used, "B"},
                            {"throttle_reasons", LogQuantity::throttle, ""}};

const Known* find(const std::string& name) {
  for (const Known& known : kKnown) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

class RecordReader {
 public:
  RecordReader(const SeriesText& text, const PowerLogOptions& options) : lines_(text.lines()), bad_(text.name(), options.skip_bad) {
    log_.source.file = text.name();
  }

  PowerLog read() {
    while (lines_.next()) {
      const std::string_view line = trimmed_cell(lines_.line());
      if (line.empty()) continue;
      if (line.starts_with('#')) {
        comment(line);
        continue;
      }
      split_cells(line, ',', cells_);
      if (header_.empty()) {
        header();
      } else if (const std::string why = row(); !why.empty()) {
        refuse(why);
      }
    }
    bad_.settle(log_);
    log_.time_base = TimeBase::utc;
    builder_.finish(log_);
    return std::move(log_);
  }

 private:
  void comment(std::string_view line) {
    const std::string_view words = trimmed_cell(line.substr(1));
    if (words.starts_with("event ")) {
      log_.warnings.emplace_back(words.substr(6));
      return;
    }
    const std::size_t colon = words.find(':');
    if (colon == std::string_view::npos) return;
    const std::string key(trimmed_cell(words.substr(0, colon)));
    const std::string value(trimmed_cell(words.substr(colon + 1)));
    if (key == "host") log_.source.host = value;
    if (key == "driver") log_.source.driver = value;
    if (key.starts_with("gpu.") && key.ends_with(".name")) models_[key.substr(4, key.size() - 9)] = value;
    if (key == "format" && value != "joulecast-record 1") {
      throw UserError({lines_.name(), lines_.number(), 1}, fmt::format("the format is \"{}\", expected \"joulecast-record 1\"", excerpt(value)),
                      "read it with the version of joulecast that wrote it");
    }
  }

  void header() {
    header_ = cells_;
    bool power = false;
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (header_[i] == "time_unix_s") time_ = i;
      if (header_[i] == "gpu") gpu_ = i;
      if (header_[i] == "uuid") uuid_ = i;
      if (header_[i] == "mark") mark_ = i;
      const Known* known = find(header_[i]);
      if (known == nullptr) continue;
      builder_.column(known->quantity, header_[i]);
      power = power || known->quantity <= LogQuantity::energy;
    }
    if (time_ == SIZE_MAX || gpu_ == SIZE_MAX || !power) {
      throw UserError({lines_.name(), lines_.number(), 1}, "the header lacks time_unix_s, gpu, or every column of power and energy",
                      "`joulecast record` writes them; restore the header");
    }
  }

  std::string row() {
    if (cells_.size() != header_.size()) return fmt::format("{} cells, expected {}", cells_.size(), header_.size());
    LogSample sample;
    if (!read_log_seconds(cells_[time_], 1, sample.time_ns)) return fmt::format("\"{}\" is no time", excerpt(cells_[time_]));
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const Known* known = find(header_[i]);
      if (known == nullptr || cells_[i].empty()) continue;
      if (known->quantity == LogQuantity::throttle) {
        std::uint64_t mask = 0;
        const std::size_t skip = cells_[i].starts_with("0x") ? 2 : 0;
        const auto [end, failure] = std::from_chars(cells_[i].data() + skip, cells_[i].data() + cells_[i].size(), mask, 16);
        if (failure != std::errc() || end != cells_[i].data() + cells_[i].size())
          return fmt::format("read \"{}\" as {}", excerpt(cells_[i]), header_[i]);
        sample[known->quantity] = static_cast<double>(mask & kExactBits);
        continue;
      }
      const MeasuredCell read = read_measured(cells_[i], dimension(known->quantity), known->unit, "");
      if (read.kind == MeasuredCell::Kind::value) sample[known->quantity] = read.value;
      if (read.kind == MeasuredCell::Kind::wrong || read.kind == MeasuredCell::Kind::cut) {
        return fmt::format("read \"{}\" as {}", excerpt(cells_[i]), header_[i]);
      }
    }
    if (mark_ != SIZE_MAX && (log_.marks.empty() ? !cells_[mark_].empty() : log_.marks.back().name != cells_[mark_])) {
      log_.marks.push_back({sample.time_ns, cells_[mark_]});
    }
    const auto model = models_.find(cells_[gpu_]);
    builder_.add(builder_.gpu(cells_[gpu_], uuid_ == SIZE_MAX ? "" : cells_[uuid_], model == models_.end() ? "" : model->second), sample);
    return "";
  }

  void refuse(const std::string& why) {
    if (!lines_.terminated()) {
      ++log_.source.dropped["torn last row"];
      log_.notes.push_back(fmt::format("the last row breaks off (line {}) and is left out", lines_.number()));
    } else {
      bad_.add(lines_.number(), lines_.line(), why);
    }
  }

  TextLines lines_;
  BadLines bad_;
  LogBuilder builder_;
  PowerLog log_;
  std::vector<std::string> header_, cells_;
  std::map<std::string, std::string> models_;
  std::size_t time_ = SIZE_MAX, gpu_ = SIZE_MAX, uuid_ = SIZE_MAX, mark_ = SIZE_MAX;
};

}  // namespace

PowerLog read_record(const SeriesText& text, const PowerLogOptions& options) { return RecordReader(text, options).read(); }

}  // namespace joulecast::traces
