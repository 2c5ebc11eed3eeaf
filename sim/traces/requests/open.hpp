#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "traces/requests/length_histogram.hpp"
#include "traces/requests/options.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::traces {

/// What a trace holds, one round of it: the requests that a replay would send.
struct TraceSummary {
  std::uint64_t requests = 0;
  std::uint64_t input_tokens = 0, output_tokens = 0;
  std::int32_t most_input = 0, most_output = 0;
  std::int64_t most_context = 0;  ///< input + output of one request
  Span span;                      ///< from the first arrival to the last
  Span period;                    ///< of a repeated trace: span + span / (requests - 1), rounded; 0 where there are not two distinct arrivals
  std::vector<std::uint64_t> over_context;  ///< requests whose input + output is above each of the contexts asked for
  ReadCounts counts;
};

/// How a trace is brought, beyond what its options say.
struct Replay {
  std::optional<RateScale> rate;
  std::uint64_t seed = 0;  ///< of the streams (seed, name, "rate"), for shifts and what is thinned out, and (seed, name, "resample"), for blocks
  std::string name;
  std::optional<Resample> resample = std::nullopt;  ///< before the rate is scaled
};

/// Opens a trace for replay. The whole file is checked first, so that every fault of it is told before a run begins, and `counts` (may be null)
/// is complete on return. A file in order of arrival is then read again as the requests are asked for; one with inversions, and one that is
/// superposed, is held in memory, sorted, equal arrivals in the order of the file.
///
/// The first arrival becomes t = 0 (`rebase`), `offset` is added, and round k of a repeated trace comes k periods later; a repeated trace ends
/// only with time itself. `limit` stops reading after that many requests in the order of the file. Rounds and superposed copies share no prefix
/// and no conversation with one another: other people's requests, as many.
///
/// UserError: no such file (with the nearest name in its folder), any fault of the format, a row without input or output tokens unless
/// `zero_tokens` says what to do with it, no request at all, an arrival before the run begins, a span of more than 63
/// years, `repeat` or superposing without two distinct arrivals.
std::unique_ptr<RequestStream> open_trace(const TraceOptions& options, std::shared_ptr<ReadCounts> counts = nullptr, const Replay& replay = {});
/// The same for a text in memory, which outlives the stream.
std::unique_ptr<RequestStream> open_trace_text(std::string_view text, const TraceOptions& options, std::shared_ptr<ReadCounts> counts = nullptr,
                                               const Replay& replay = {});

/// Reads a trace once and sums it up; faults as in `open_trace`. About 0.1 us a row.
TraceSummary summarize(const TraceOptions& options, const std::vector<std::int64_t>& contexts = {});

/// A trace's tokens in and out, one cell a request: drawing from it is drawing rows with replacement. Files of vidur may lack arrivals.
LengthHistogram lengths_of_trace(const TraceOptions& options);

/// The path that `options.file` means.
std::string trace_path(const TraceOptions& options);

}  // namespace joulecast::traces
