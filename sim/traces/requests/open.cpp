#include "traces/requests/open.hpp"

#include <utility>

#include "config/node.hpp"
#include "traces/requests/formats.hpp"
#include "traces/requests/kept_rows.hpp"
#include "traces/requests/resample.hpp"
#include "traces/requests/scaled.hpp"
#include "traces/requests/trace_stream.hpp"

namespace joulecast::traces {
namespace {

std::unique_ptr<RequestStream> open_lines(TextLines lines, const TraceOptions& options, ReadCounts* counts, const Replay& replay) {
  std::string path = lines.name();
  KeptRows rows(make_reader(std::move(lines), options), options);
  const TraceScan scanned = scan(rows, options, {});
  if (counts != nullptr) *counts = scanned.summary.counts;
  std::optional<HeldRows> held;
  if (replay.resample) {
    held = resampled(held_rows(rows, scanned, path), scanned.summary.period, *replay.resample, Stream(replay.seed, replay.name, "resample"));
  }
  if (!replay.rate) return replay_rows(std::move(rows), scanned, options.repeat, std::move(path), std::move(held));
  const double scale = replay.rate->scale;
  Stream random(replay.seed, replay.name, "rate");
  switch (replay.rate->by) {
    case RateScale::By::compress:
      return compressed(replay_rows(std::move(rows), scanned, options.repeat, std::move(path), std::move(held)), scale);
    case RateScale::By::thin:
      return thinned(replay_rows(std::move(rows), scanned, options.repeat, std::move(path), std::move(held)), scale, random);
    case RateScale::By::superpose:
      break;
  }
  if (scanned.summary.period.ns == 0) {
    throw UserError(options.place, "superposing a trace without two distinct arrivals", "leave rate out, or give a longer trace");
  }
  if (!held) held = held_rows(rows, scanned, path);
  return superpose_rows(rows, scanned, options.repeat, std::move(*held), scale, random);
}

}  // namespace

std::string trace_path(const TraceOptions& options) {
  return options.place.file.empty() ? options.file : config::resolve_path(options.file, options.place);
}

std::unique_ptr<RequestStream> open_trace(const TraceOptions& options, std::shared_ptr<ReadCounts> counts, const Replay& replay) {
  return open_lines(TextLines(trace_path(options), options.place), options, counts.get(), replay);
}

std::unique_ptr<RequestStream> open_trace_text(std::string_view text, const TraceOptions& options, std::shared_ptr<ReadCounts> counts,
                                               const Replay& replay) {
  return open_lines(TextLines(text, options.file), options, counts.get(), replay);
}

TraceSummary summarize(const TraceOptions& options, const std::vector<std::int64_t>& contexts) {
  KeptRows rows(make_reader(TextLines(trace_path(options), options.place), options), options);
  return scan(rows, options, contexts).summary;
}

LengthHistogram lengths_of_trace(const TraceOptions& options) {
  KeptRows rows(make_reader(TextLines(trace_path(options), options.place), options, TraceUse::lengths), options);
  std::vector<LengthHistogram::Cell> cells;
  for (TraceRow row; rows.next(row);) cells.push_back({1, {row.input, row.input, row.input}, {row.output, row.output, row.output}});
  if (cells.empty()) throw UserError({trace_path(options), 0, 0}, "the trace has no request", "check that the file is the right one and complete");
  return LengthHistogram(std::move(cells));
}

}  // namespace joulecast::traces
