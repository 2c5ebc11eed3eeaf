#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "traces/delimited.hpp"
#include "traces/requests/trace_reader.hpp"

namespace joulecast::traces {

/// A cell as whole tokens, refused else; false where it was cut off.
bool read_token_cell(Delimited& rows, std::size_t column, std::int32_t& tokens);

/// A trace whose rows are those of a delimited text with one column each for arrival, input and output.
class DelimitedTrace : public TraceReader {
 public:
  enum class Clock : std::uint8_t { datetime, seconds, milliseconds, microseconds, nanoseconds };

  /// The first three columns that `rows` wants are arrival, input and output.
  DelimitedTrace(Delimited rows, Clock clock) : rows_(std::move(rows)), clock_(clock) {}

  bool next(TraceRow& row) final;
  void rewind() override { rows_.rewind(); }
  Place place(TraceField field) const override { return rows_.place(static_cast<std::size_t>(field)); }
  std::string text(TraceField field) const override { return std::string(rows_.cell(static_cast<std::size_t>(field))); }
  std::optional<Place> torn() const override {
    if (!rows_.torn()) return std::nullopt;
    return rows_.line_place();
  }
  bool has_dates() const override { return clock_ == Clock::datetime; }

 protected:
  /// The further columns of a format; false where the row was cut off there.
  virtual bool read_more(TraceRow&) { return true; }
  Delimited& rows() { return rows_; }

 private:
  bool read_arrival(std::int64_t& ns);
  bool read_count(TraceField field, std::int32_t& tokens) { return read_token_cell(rows_, static_cast<std::size_t>(field), tokens); }

  Delimited rows_;
  Clock clock_;
  std::optional<bool> zoned_;  ///< whether the first row's date has a zone
};

}  // namespace joulecast::traces
