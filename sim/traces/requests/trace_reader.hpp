#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace joulecast::traces {

/// One request as a file has it, before any policy.
struct TraceRow {
  std::int64_t arrival_ns = 0;  ///< on the file's own clock
  std::int32_t input = 0;
  std::int32_t output = 0;
};

enum class TraceField : std::uint8_t { arrival, input, output };

/// The rows of one trace file in the order of the file: what a format implements. `next` throws UserError with the place of a fault.
class TraceReader {
 public:
  virtual ~TraceReader() = default;

  /// False at the end.
  virtual bool next(TraceRow& row) = 0;
  virtual void rewind() = 0;
  /// Where a field of the row last read stands, and as what.
  virtual Place place(TraceField field) const = 0;
  virtual std::string text(TraceField field) const = 0;
  /// Where the last row stands, if it was cut off and left out.
  virtual std::optional<Place> torn() const = 0;
  /// Whether arrivals count from 1970 (dates, Unix seconds) rather than from a zero of the file's own.
  virtual bool has_dates() const = 0;
};

}  // namespace joulecast::traces
