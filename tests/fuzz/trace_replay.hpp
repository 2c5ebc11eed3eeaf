#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::fuzz {

inline void check(const traces::Request& request, Time last, const traces::PrefixTree* prefixes) {
  if (request.arrival < last || request.input < 1 || request.output < 1) std::abort();
  if (request.cached < 0 || (request.cached > 0 && request.cached >= request.input)) std::abort();
  if (request.prefix != 0 && (prefixes == nullptr || prefixes->tokens(request.prefix) > request.input)) std::abort();
}

/// Replays up to 300 requests of a trace in every way that its options allow, also with another rate. Any input is a trace or a UserError, and what
/// comes out is in order, has tokens, and shares no more than its prompt.
inline void replay(std::string_view text, traces::TraceOptions options) {
  using By = traces::RateScale::By;
  options.file = "fuzz";
  for (unsigned ways = 0; ways < 12; ++ways) {
    options.repeat = (ways & 1) != 0;
    options.rebase = (ways & 2) == 0;
    options.zero_tokens = ways >= 8 ? "keep" : (ways & 4) != 0 ? "drop" : "error";
    options.run_begins_ns = options.rebase ? std::nullopt : std::optional<std::int64_t>(0);
    traces::Replay how{{}, 1, "fuzz"};
    if (ways == 8) how.rate = traces::RateScale{2.5, By::superpose};
    if (ways == 9) how.rate = traces::RateScale{3, By::superpose};
    if (ways == 10) how.rate = traces::RateScale{7.5, By::compress};
    if (ways == 11) how.rate = traces::RateScale{0.5, By::thin};
    try {
      const auto stream = traces::open_trace_text(text, options, nullptr, how);
      Time last;
      for (int i = 0; i < 300; ++i) {
        const auto request = stream->next();
        if (!request) break;
        check(*request, last, stream->prefixes());
        last = request->arrival;
      }
    } catch (const UserError& error) {
      for (const UserFault& fault : error.faults()) {
        if (fault.what.empty() || fault.remedy.empty()) std::abort();
      }
    }
  }
}

}  // namespace joulecast::fuzz
