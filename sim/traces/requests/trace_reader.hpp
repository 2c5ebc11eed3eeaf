#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "traces/requests/prefix_tree.hpp"

namespace joulecast::traces {

/// One request as a file has it, before any policy.
struct TraceRow {
  std::int64_t arrival_ns = 0;  ///< on the file's own clock
  std::int32_t input = 0;
  std::int32_t output = 0;
  std::int32_t cached = 0;         ///< as in Request
  std::uint32_t prefix = 0;        ///< node of `TraceReader::prefixes`
  std::uint32_t conversation = 0;  ///< numbered from 1 in the order of the file; 0: not known
};

enum class TraceField : std::uint8_t { arrival, input, output };

/// The rows of one trace file in the order of the file: what a format implements. `next` throws UserError with the place of a fault. A second
/// reading gives the same rows, nodes and conversations.
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
  /// What rows' prefixes refer to, complete when the file has been read once; null for a format without.
  virtual std::shared_ptr<const PrefixTree> prefixes() const { return nullptr; }
};

}  // namespace joulecast::traces
