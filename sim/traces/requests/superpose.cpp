#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "base/fixed.hpp"
#include "traces/requests/trace_stream.hpp"

namespace joulecast::traces {
namespace {

/// Copies of a trace that is held in memory. Copy 0 is the trace; copy k begins `advance` inside the period and, at the period's end, goes on
/// with the trace's beginning, as a round of its own. So every copy gives each request once a period, and the superposed trace lasts as long as
/// the trace.
class SuperposedStream final : public RequestStream {
 public:
  SuperposedStream(const KeptRows& rows, const TraceScan& scanned, bool repeat, HeldRows held, double scale, Stream random)
      : prefixes_(rows.reader().prefixes()),
        conversations_(scanned.summary.counts.conversations),
        held_(std::move(held)),
        rows_(held_.rows),
        period_(scanned.summary.period.ns),
        first_ns_(held_.first_ns),
        start_{first_ns_ - scanned.zero_ns},
        repeat_(repeat),
        random_(random) {
    copies_.resize(static_cast<std::size_t>(std::ceil(scale)));
    last_share_ = scale - static_cast<double>(copies_.size() - 1);
    for (std::size_t c = 0; c < copies_.size(); ++c) {
      Copy& copy = copies_[c];
      if (c > 0) copy.advance = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(period_)));
      const auto from = std::lower_bound(rows_.begin(), rows_.end(), first_ns_ + copy.advance,
                                         [](const TraceRow& row, std::int64_t ns) { return row.arrival_ns < ns; });
      copy.at = static_cast<std::size_t>(from - rows_.begin());
      put(c);
    }
  }

  std::optional<Request> next() override {
    if (coming_.empty()) return std::nullopt;
    const auto [arrival, number] = coming_.top();
    coming_.pop();
    Copy& copy = copies_[number];
    const std::uint64_t whose = held_.copy_of(copy.at, copy.round * copies_.size() + number);
    const Request request = request_of(rows_[copy.at], start_ + Span{arrival}, prefixes_.get(), conversations_, whose);
    ++copy.at;
    ++copy.given;
    put(number);
    return request;
  }

  const PrefixTree* prefixes() const override { return prefixes_.get(); }

 private:
  struct Copy {
    std::int64_t advance = 0;
    std::size_t at = 0;
    std::uint64_t round = 0;
    std::uint64_t given = 0;  ///< requests passed, those thinned out included
  };
  using Coming = std::pair<std::int64_t, std::size_t>;  ///< (arrival since the trace's first, copy)

  /// Puts the next request of a copy, that is not thinned out, among those that come.
  void put(std::size_t number) {
    Copy& copy = copies_[number];
    if (rows_.empty()) return;
    for (;; ++copy.at, ++copy.given) {
      if (copy.given == rows_.size() && !repeat_) return;
      if (copy.at == rows_.size()) {
        copy.at = 0;
        ++copy.round;
      }
      const bool thinned = number + 1 == copies_.size() && last_share_ < 1;
      if (!thinned || random_.uniform() < last_share_) break;
    }
    const int128 arrival = int128{period_} * copy.round + (rows_[copy.at].arrival_ns - first_ns_) - copy.advance;
    if (arrival > kForever.ns - 2 * period_ - start_.ns) return;
    coming_.push({static_cast<std::int64_t>(arrival), number});
  }

  std::shared_ptr<const PrefixTree> prefixes_;
  std::uint32_t conversations_;
  HeldRows held_;
  const std::vector<TraceRow>& rows_;
  std::int64_t period_;
  std::int64_t first_ns_;
  Time start_;  ///< of the first arrival
  bool repeat_;
  Stream random_;
  double last_share_ = 1;
  std::vector<Copy> copies_;
  std::priority_queue<Coming, std::vector<Coming>, std::greater<>> coming_;
};

}  // namespace

std::unique_ptr<RequestStream> superpose_rows(const KeptRows& rows, const TraceScan& scanned, bool repeat, HeldRows held, double scale,
                                              Stream random) {
  return std::make_unique<SuperposedStream>(rows, scanned, repeat, std::move(held), scale, random);
}

}  // namespace joulecast::traces
