#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/philox.hpp"
#include "traces/requests/kept_rows.hpp"
#include "traces/requests/options.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::traces {

/// All kept rows of a checked trace by arrival, equal arrivals in the order of the file.
std::vector<TraceRow> sorted_rows(KeptRows& rows, const TraceScan& scanned, const std::string& path);

/// A row of copy `copy` as a request.
Request request_of(const TraceRow& row, Time arrival, const PrefixTree* prefixes, std::uint32_t conversations, std::uint64_t copy);

/// A checked trace round after round, or one round of it.
std::unique_ptr<RequestStream> replay_rows(KeptRows rows, const TraceScan& scanned, bool repeat, std::string path);

/// `scale` copies of it at once, as RateScale::By::superpose says; shifts are uniform over the period.
std::unique_ptr<RequestStream> superpose_rows(KeptRows rows, const TraceScan& scanned, bool repeat, const std::string& path, double scale,
                                              Stream random);

}  // namespace joulecast::traces
