#include "traces/requests/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace joulecast::traces {
namespace {

constexpr std::int64_t kDay = 86'400'000'000'000;

/// Moments, first to last, counted from the trace's first arrival.
struct Moments {
  std::int64_t first, last;
};

/// Where a block of `length` that stands at `own` may be taken from.
std::vector<Moments> sources(std::int64_t own, std::int64_t length, std::int64_t within, std::int64_t period) {
  std::vector<Moments> found;
  for (std::int64_t centre = own % kDay - kDay; centre <= period + kDay; centre += kDay) {
    const Moments near{std::max<std::int64_t>(0, centre - within), std::min(period - length, centre + within)};
    if (near.first <= near.last) found.push_back(near);
  }
  return found;
}

std::int64_t draw(const std::vector<Moments>& moments, Stream& random) {
  std::uint64_t all = 0;
  for (const Moments& each : moments) all += static_cast<std::uint64_t>(each.last - each.first) + 1;
  std::uint64_t chosen = random.below(all);
  for (const Moments& each : moments) {
    const std::uint64_t here = static_cast<std::uint64_t>(each.last - each.first) + 1;
    if (chosen < here) return each.first + static_cast<std::int64_t>(chosen);
    chosen -= here;
  }
  JOULECAST_BUG("a draw lies beyond all moments");
}

}  // namespace

HeldRows resampled(HeldRows held, Span period, const Resample& how, Stream random) {
  const std::int64_t length = span_from_seconds(how.blocks.si()).ns, within = span_from_seconds(how.within.si()).ns;
  if (period.ns < 2 * length) {
    throw UserError(how.place, fmt::format("blocks of {:g} s do not fit twice into a trace of {:g} s", how.blocks.si(), period.seconds()),
                    "choose shorter blocks, or a longer trace");
  }
  HeldRows drawn;
  drawn.first_ns = held.first_ns;
  std::vector<std::uint32_t> times(held.rows.size(), 0);
  for (std::int64_t own = 0; own < period.ns; own += length) {
    const std::int64_t here = std::min(length, period.ns - own);
    const std::int64_t from = held.first_ns + draw(sources(own, here, within, period.ns), random);
    auto row = std::lower_bound(held.rows.begin(), held.rows.end(), from, [](const TraceRow& each, std::int64_t ns) { return each.arrival_ns < ns; });
    for (; row != held.rows.end() && row->arrival_ns < from + here; ++row) {
      std::uint32_t& taken = times[static_cast<std::size_t>(row - held.rows.begin())];
      drawn.rows.push_back(*row);
      drawn.rows.back().arrival_ns += held.first_ns + own - from;
      drawn.taken.push_back(taken++);
      drawn.most_taken = std::max(drawn.most_taken, taken);
    }
  }
  return drawn;
}

}  // namespace joulecast::traces
