#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::fuzz {

/// Replays up to 300 requests of a trace in every way that its options allow. Any input is a trace or a UserError, and what comes out is in
/// order and has tokens.
inline void replay(std::string_view text, traces::TraceOptions options) {
  options.file = "fuzz";
  for (unsigned ways = 0; ways < 8; ++ways) {
    options.repeat = (ways & 1) != 0;
    options.rebase = (ways & 2) == 0;
    options.zero_tokens = (ways & 4) != 0 ? "drop" : "error";
    options.run_begins_ns = options.rebase ? std::nullopt : std::optional<std::int64_t>(0);
    try {
      const auto stream = traces::open_trace_text(text, options);
      Time last;
      for (int i = 0; i < 300; ++i) {
        const auto request = stream->next();
        if (!request) break;
        if (request->arrival < last || request->input < 1 || request->output < 1) std::abort();
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
