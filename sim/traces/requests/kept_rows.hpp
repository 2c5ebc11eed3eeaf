#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "traces/requests/open.hpp"
#include "traces/requests/trace_reader.hpp"

namespace joulecast::traces {

/// The rows that a replay keeps, in the order of the file.
class KeptRows {
 public:
  KeptRows(std::unique_ptr<TraceReader> reader, const TraceOptions& options);

  /// False at the end or at the limit.
  bool next(TraceRow& row);
  void rewind();
  const TraceReader& reader() const { return *reader_; }
  /// Rows read and dropped since the beginning of the file.
  ReadCounts counts() const;

 private:
  bool keeps(TraceRow& row);

  std::unique_ptr<TraceReader> reader_;
  enum class ZeroTokens : std::uint8_t { refuse, drop, keep };

  ZeroTokens zero_tokens_;
  bool drop_torn_;
  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t kept_ = 0;
  ReadCounts counts_;
};

/// What one reading of a trace tells.
struct TraceScan {
  TraceSummary summary;
  std::int64_t zero_ns = 0;  ///< what is subtracted from an arrival of the file to give the time in the run
};

/// Reads all rows; faults as in `open_trace`.
TraceScan scan(KeptRows& rows, const TraceOptions& options, const std::vector<std::int64_t>& contexts);

}  // namespace joulecast::traces
