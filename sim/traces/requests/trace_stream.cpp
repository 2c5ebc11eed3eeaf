#include "traces/requests/trace_stream.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace joulecast::traces {
namespace {

[[noreturn]] void throw_changed(const std::string& path) {
  throw UserError({path, 0, 0}, "the trace changed while it was read", "run again when the file is at rest");
}

class TraceStream final : public RequestStream {
 public:
  TraceStream(KeptRows rows, const TraceScan& scanned, bool repeat, std::string path, std::optional<HeldRows> held)
      : rows_(std::move(rows)),
        path_(std::move(path)),
        prefixes_(rows_.reader().prefixes()),
        conversations_(scanned.summary.counts.conversations),
        zero_ns_(scanned.zero_ns),
        requests_(held ? held->rows.size() : scanned.summary.requests),
        period_(repeat ? scanned.summary.period : Span{}),
        held_(std::move(held)) {
    if (!held_ && scanned.summary.counts.inversions > 0) held_ = held_rows(rows_, scanned, path_);
    if (!held_) rows_.rewind();
  }

  std::optional<Request> next() override {
    if (given_ == requests_) {
      if (requests_ == 0 || period_.ns == 0 || shift_.ns > kForever.ns - last_.ns - 2 * period_.ns) return std::nullopt;
      shift_ = shift_ + period_;
      ++round_;
      given_ = 0;
      last_ = {};
      if (!held_) rows_.rewind();
    }
    TraceRow row;
    std::uint64_t whose = round_;
    if (held_) {
      row = held_->rows[given_];
      whose = held_->copy_of(given_, round_);
    } else if (!rows_.next(row) || row.arrival_ns - zero_ns_ < last_.ns) {
      throw_changed(path_);
    }
    ++given_;
    last_ = {row.arrival_ns - zero_ns_};
    return request_of(row, last_ + shift_, prefixes_.get(), conversations_, whose);
  }

  const PrefixTree* prefixes() const override { return prefixes_.get(); }

 private:
  KeptRows rows_;
  std::string path_;
  std::shared_ptr<const PrefixTree> prefixes_;
  std::uint32_t conversations_;
  std::int64_t zero_ns_;
  std::uint64_t requests_;  ///< in one round
  Span period_;             ///< 0: one round only
  std::optional<HeldRows> held_;
  std::uint64_t round_ = 0;
  std::uint64_t given_ = 0;  ///< in this round
  Span shift_;               ///< of this round
  Time last_;                ///< arrival given last, without the shift
};

}  // namespace

HeldRows held_rows(KeptRows& rows, const TraceScan& scanned, const std::string& path) {
  rows.rewind();
  HeldRows held;
  std::vector<TraceRow>& sorted = held.rows;
  sorted.reserve(scanned.summary.requests);
  for (TraceRow row; rows.next(row);) sorted.push_back(row);
  if (sorted.size() != scanned.summary.requests) throw_changed(path);
  std::stable_sort(sorted.begin(), sorted.end(), [](const TraceRow& a, const TraceRow& b) { return a.arrival_ns < b.arrival_ns; });
  held.first_ns = sorted.front().arrival_ns;
  return held;
}

Request request_of(const TraceRow& row, Time arrival, const PrefixTree* prefixes, std::uint32_t conversations, std::uint64_t copy) {
  Request request{arrival, row.input, row.output, row.cached, row.prefix, row.conversation};
  if (copy == 0) return request;
  if (row.prefix != 0) request.prefix = prefixes->in_copy(row.prefix, copy);
  if (row.conversation != 0) {
    const std::uint64_t copies = std::numeric_limits<std::uint32_t>::max() / conversations;
    request.conversation = static_cast<std::uint32_t>(row.conversation + (copy % copies) * conversations);
  }
  return request;
}

std::unique_ptr<RequestStream> replay_rows(KeptRows rows, const TraceScan& scanned, bool repeat, std::string path, std::optional<HeldRows> held) {
  return std::make_unique<TraceStream>(std::move(rows), scanned, repeat, std::move(path), std::move(held));
}

}  // namespace joulecast::traces
