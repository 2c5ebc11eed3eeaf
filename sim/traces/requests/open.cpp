#include "traces/requests/open.hpp"

#include <algorithm>
#include <utility>

#include "config/node.hpp"
#include "traces/requests/formats.hpp"
#include "traces/requests/kept_rows.hpp"

namespace joulecast::traces {
namespace {

/// Replays the kept rows of a checked trace.
class TraceStream final : public RequestStream {
 public:
  TraceStream(KeptRows rows, const TraceScan& scanned, bool repeat, std::string path)
      : rows_(std::move(rows)),
        path_(std::move(path)),
        zero_ns_(scanned.zero_ns),
        requests_(scanned.summary.requests),
        period_(repeat ? scanned.summary.period : Span{}),
        held_(scanned.summary.counts.inversions > 0) {
    rows_.rewind();
    if (held_) hold();
  }

  std::optional<Request> next() override {
    if (given_ == requests_) {
      if (period_.ns == 0 || shift_.ns > kForever.ns - last_.ns - 2 * period_.ns) return std::nullopt;
      shift_ = shift_ + period_;
      given_ = 0;
      last_ = {};
      if (!held_) rows_.rewind();
    }
    TraceRow row;
    if (held_) {
      row = sorted_[given_];
    } else if (!rows_.next(row) || row.arrival_ns - zero_ns_ < last_.ns) {
      throw UserError({path_, 0, 0}, "the trace changed while it was read", "run again when the file is at rest");
    }
    ++given_;
    last_ = {row.arrival_ns - zero_ns_};
    return Request{last_ + shift_, row.input, row.output};
  }

 private:
  void hold() {
    sorted_.reserve(requests_);
    for (TraceRow row; rows_.next(row);) sorted_.push_back(row);
    if (sorted_.size() != requests_) {
      throw UserError({path_, 0, 0}, "the trace changed while it was read", "run again when the file is at rest");
    }
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const TraceRow& a, const TraceRow& b) { return a.arrival_ns < b.arrival_ns; });
  }

  KeptRows rows_;
  std::string path_;
  std::int64_t zero_ns_;
  std::uint64_t requests_;  ///< in one round
  Span period_;             ///< 0: one round only
  bool held_;
  std::vector<TraceRow> sorted_;
  std::uint64_t given_ = 0;  ///< in this round
  Span shift_;               ///< of this round
  Time last_;                ///< arrival given last, without the shift
};

std::unique_ptr<RequestStream> open_lines(TextLines lines, const TraceOptions& options, ReadCounts* counts) {
  std::string path = lines.name();
  KeptRows rows(make_reader(std::move(lines), options), options);
  const TraceScan scanned = scan(rows, options, {});
  if (counts != nullptr) *counts = scanned.summary.counts;
  return std::make_unique<TraceStream>(std::move(rows), scanned, options.repeat, std::move(path));
}

}  // namespace

std::string trace_path(const TraceOptions& options) {
  return options.place.file.empty() ? options.file : config::resolve_path(options.file, options.place);
}

std::unique_ptr<RequestStream> open_trace(const TraceOptions& options, std::shared_ptr<ReadCounts> counts) {
  return open_lines(TextLines(trace_path(options), options.place), options, counts.get());
}

std::unique_ptr<RequestStream> open_trace_text(std::string_view text, const TraceOptions& options, std::shared_ptr<ReadCounts> counts) {
  return open_lines(TextLines(text, options.file), options, counts.get());
}

TraceSummary summarize(const TraceOptions& options, const std::vector<std::int64_t>& contexts) {
  KeptRows rows(make_reader(TextLines(trace_path(options), options.place), options), options);
  return scan(rows, options, contexts).summary;
}

}  // namespace joulecast::traces
