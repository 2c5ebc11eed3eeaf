#include "traces/requests/kept_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "traces/excerpt.hpp"

namespace joulecast::traces {

KeptRows::KeptRows(std::unique_ptr<TraceReader> reader, const TraceOptions& options)
    : reader_(std::move(reader)),
      zero_tokens_(options.zero_tokens == "drop"   ? ZeroTokens::drop
                   : options.zero_tokens == "keep" ? ZeroTokens::keep
                                                   : ZeroTokens::refuse),
      drop_torn_(options.torn_last_row == "drop") {
  JOULECAST_CHECK(zero_tokens_ != ZeroTokens::refuse || options.zero_tokens == "error", "unknown zero_tokens: " + options.zero_tokens);
  if (options.limit) limit_ = static_cast<std::uint64_t>(*options.limit);
}

bool KeptRows::next(TraceRow& row) {
  while (kept_ < limit_ && reader_->next(row)) {
    ++counts_.rows;
    if ((row.input == 0 || row.output == 0) && !keeps(row)) continue;
    ++kept_;
    return true;
  }
  if (const auto place = reader_->torn(); place && !drop_torn_) {
    throw UserError(*place, "the last row was cut off", "complete or delete it, or write torn_last_row = \"drop\" to leave it out (it is counted)");
  }
  return false;
}

/// Counts a row without tokens as dropped, or as taken for one token; or throws.
bool KeptRows::keeps(TraceRow& row) {
  const bool no_input = row.input == 0;
  if (zero_tokens_ == ZeroTokens::keep) {
    counts_.kept_zero_input += no_input ? 1 : 0;
    counts_.kept_zero_output += row.output == 0 ? 1 : 0;
    row.input = std::max(row.input, 1);
    row.output = std::max(row.output, 1);
    return true;
  }
  if (zero_tokens_ == ZeroTokens::refuse) {
    throw UserError(
        reader_->place(no_input ? TraceField::input : TraceField::output),
        fmt::format("a request with 0 {} tokens, expected at least 1", no_input ? "input" : "output"),
        "write zero_tokens = \"drop\" to leave such rows (as failed requests) out, or \"keep\" to take them for 1 token; they are counted");
  }
  ++(no_input ? counts_.dropped_zero_input : counts_.dropped_zero_output);
  return false;
}

void KeptRows::rewind() {
  reader_->rewind();
  kept_ = 0;
  counts_ = {};
}

ReadCounts KeptRows::counts() const {
  ReadCounts counts = counts_;
  counts.torn_last_row = reader_->torn().has_value();
  return counts;
}

namespace {

constexpr std::int64_t kMostSpan = 2'000'000'000'000'000'000;

/// Where the run's t = 0 lies on the file's clock when arrivals are kept as they are written.
std::int64_t zero_as_written(const TraceReader& reader, const TraceOptions& options, std::int64_t offset_ns) {
  if (!reader.has_dates()) return -offset_ns;
  if (options.run_begins_ns) return *options.run_begins_ns - offset_ns;
  throw UserError(options.place, "rebase = false on a trace whose arrivals are dates, in a run that has none",
                  "give the run a beginning ([time] start = 2023-11-16T18:00:00Z), or leave rebase out");
}

[[noreturn]] void throw_early(const TraceReader& reader, const TraceOptions& options) {
  const Place place = reader.place(TraceField::arrival);
  const std::string text = excerpt(reader.text(TraceField::arrival));
  if (options.rebase) {
    throw UserError(place, fmt::format("the arrival {} comes before the run begins, by the negative offset", text), "give an offset of 0 s or more");
  }
  throw UserError(place, fmt::format("the arrival {} comes before the run begins", text),
                  "write rebase = true, which moves the first arrival to t = 0, or a larger offset");
}

}  // namespace

TraceScan scan(KeptRows& rows, const TraceOptions& options, const std::vector<std::int64_t>& contexts) {
  TraceScan result;
  TraceSummary& summary = result.summary;
  summary.over_context.assign(contexts.size(), 0);
  const TraceReader& reader = rows.reader();
  const std::int64_t offset_ns = span_from_seconds(options.offset.si()).ns;
  if (!options.rebase) result.zero_ns = zero_as_written(reader, options, offset_ns);

  std::uint64_t inversions = 0, with_prefix = 0;
  std::uint32_t conversations = 0;
  std::string origin;
  std::int64_t first = 0, last = 0, before = 0;
  TraceRow row;
  while (rows.next(row)) {
    if (summary.requests == 0 || row.arrival_ns < first) {
      first = row.arrival_ns;
      origin = reader.text(TraceField::arrival);
    }
    if (summary.requests == 0 || row.arrival_ns > last) last = row.arrival_ns;
    if (summary.requests > 0 && row.arrival_ns < before) ++inversions;
    before = row.arrival_ns;
    const bool early = options.rebase ? offset_ns < 0 : row.arrival_ns < result.zero_ns;
    if (early) throw_early(reader, options);

    ++summary.requests;
    summary.input_tokens += static_cast<std::uint64_t>(row.input);
    summary.output_tokens += static_cast<std::uint64_t>(row.output);
    summary.most_input = std::max(summary.most_input, row.input);
    summary.most_output = std::max(summary.most_output, row.output);
    const std::int64_t context = std::int64_t{row.input} + row.output;
    summary.most_context = std::max(summary.most_context, context);
    for (std::size_t i = 0; i < contexts.size(); ++i) summary.over_context[i] += context > contexts[i] ? 1 : 0;
    with_prefix += row.prefix != 0 ? 1 : 0;
    conversations = std::max(conversations, row.conversation);
  }
  summary.counts = rows.counts();
  summary.counts.inversions = inversions;
  summary.counts.with_prefix = with_prefix;
  summary.counts.conversations = conversations;
  if (const auto tree = reader.prefixes()) {
    summary.counts.prefix_blocks = tree->size();
    summary.counts.block_tokens = tree->block_tokens();
  }
  summary.counts.origin = std::move(origin);
  if (summary.requests == 0) {
    throw UserError({trace_path(options), 0, 0},
                    summary.counts.rows == 0 ? std::string("the trace has no request")
                                             : fmt::format("the trace has no request: all {} rows are without tokens", summary.counts.rows),
                    "check that the file is the right one and complete");
  }
  if (options.rebase) result.zero_ns = first - offset_ns;
  summary.span = {last - first};
  if (summary.span.ns > kMostSpan) {
    throw UserError({trace_path(options), 0, 0},
                    fmt::format("the trace spans {:.3g} years, expected at most 63", summary.span.seconds() / 31'557'600),
                    "check the unit of time and the first and last arrivals");
  }
  if (summary.requests > 1 && last > first) {
    const auto gaps = static_cast<std::int64_t>(summary.requests - 1);
    summary.period = summary.span + Span{(summary.span.ns + gaps / 2) / gaps};
  } else if (options.repeat) {
    throw UserError(options.place, "repeat on a trace without two distinct arrivals", "leave repeat out, or give a longer trace");
  }
  return result;
}

}  // namespace joulecast::traces
