#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/philox.hpp"
#include "traces/requests/kept_rows.hpp"
#include "traces/requests/options.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::traces {

/// Rows of a trace in memory, by arrival.
struct HeldRows {
  std::vector<TraceRow> rows;
  std::vector<std::uint32_t> taken;  ///< of each row: how often the same request stands before it; empty where each stands once
  std::uint32_t most_taken = 1;
  std::int64_t first_ns = 0;  ///< arrival of the trace's first request

  /// Row `i` of copy `copy`, as a number that no other row of the same request has.
  std::uint64_t copy_of(std::size_t i, std::uint64_t copy) const { return taken.empty() ? copy : copy * most_taken + taken[i]; }
};

/// All kept rows of a checked trace by arrival, equal arrivals in the order of the file.
HeldRows held_rows(KeptRows& rows, const TraceScan& scanned, const std::string& path);

/// A row of copy `copy` as a request.
Request request_of(const TraceRow& row, Time arrival, const PrefixTree* prefixes, std::uint32_t conversations, std::uint64_t copy);

/// A checked trace round after round, or one round of it; `held`, where given, in place of the file's rows.
std::unique_ptr<RequestStream> replay_rows(KeptRows rows, const TraceScan& scanned, bool repeat, std::string path,
                                           std::optional<HeldRows> held = std::nullopt);

/// `scale` copies of held rows at once, as RateScale::By::superpose says; shifts are uniform over the period. `rows` are those of the file.
std::unique_ptr<RequestStream> superpose_rows(const KeptRows& rows, const TraceScan& scanned, bool repeat, HeldRows held, double scale,
                                              Stream random);

}  // namespace joulecast::traces
