#include "scenario/activity.hpp"

#include <algorithm>

namespace joulecast::scenario {

namespace {

/// Adds what happens between two instants to the intervals they lie in.
class Intervals {
 public:
  explicit Intervals(double interval_s, double end_s) : interval_(interval_s), end_(end_s) {}

  /// `visit(interval, seconds, middle)` for each part of [from, to): its length and its middle.
  template <class Visit>
  void each(double from, double to, Visit visit) const {
    to = std::min(to, end_);
    if (!(from < to)) return;
    const auto last = std::min(Activity::kIntervals - 1, static_cast<std::size_t>(to / interval_));
    for (std::size_t i = std::min(last, static_cast<std::size_t>(from / interval_)); i <= last; ++i) {
      const double low = std::max(from, static_cast<double>(i) * interval_), high = std::min(to, static_cast<double>(i + 1) * interval_);
      if (low < high) visit(i, high - low, 0.5 * (low + high));
    }
  }
  void add(std::vector<double>& sums, double from, double to) const {
    each(from, to, [&](std::size_t i, double seconds, double) { sums[i] += seconds; });
  }
  std::size_t of(double instant) const { return std::min(Activity::kIntervals - 1, static_cast<std::size_t>(instant / interval_)); }

 private:
  double interval_, end_;
};

struct PoolSums {
  std::vector<double> running = std::vector<double>(Activity::kIntervals), context = running, tokens = running;
};

void add_running(const Intervals& intervals, const serving::RequestRecord& request, double end, PoolSums& sums) {
  const serving::Outcome& outcome = request.outcome;
  const auto input = static_cast<double>(request.facts.input);
  const bool done = outcome.fate == serving::Fate::completed;
  const double from = std::max(outcome.queued_until, outcome.kv_received).seconds();
  const double to = done ? outcome.last_token.seconds() : end;
  intervals.add(sums.running, from, to);
  const double first = outcome.first_token >= Time{0} ? outcome.first_token.seconds() : to;
  const double rate = outcome.generated > 1 && to > first ? (outcome.generated - 1) / (to - first) : 0;
  if (outcome.first_token >= Time{0} && first < end) sums.tokens[intervals.of(first)] += 1;
  intervals.each(from, first, [&](std::size_t i, double seconds, double) { sums.context[i] += seconds * input; });
  intervals.each(std::max(from, first), to, [&](std::size_t i, double seconds, double middle) {
    sums.tokens[i] += rate * seconds;
    sums.context[i] += seconds * (input + rate * (middle - first));
  });
}

std::vector<float> over(const std::vector<double>& sums, double seconds) {
  std::vector<float> means;
  means.reserve(sums.size());
  for (const double sum : sums) means.push_back(static_cast<float>(sum / seconds));
  return means;
}

}  // namespace

Activity find_activity(std::span<const serving::RequestTable* const> traffics, std::span<const std::size_t> pool_of_replica, std::size_t pools,
                       Time end) {
  Activity activity;
  const double end_s = end.seconds();
  if (traffics.empty() || !(end_s > 0)) return activity;
  activity.interval_s = end_s / static_cast<double>(Activity::kIntervals);
  const Intervals intervals(activity.interval_s, end_s);
  std::vector<PoolSums> sums(pools);
  for (const serving::RequestTable* table : traffics) {
    std::vector<double> arrivals(Activity::kIntervals), waiting(Activity::kIntervals);
    for (std::uint32_t number = 0; number < table->size(); ++number) {
      const serving::RequestRecord& request = (*table)[number];
      const auto& [facts, outcome] = request;
      if (facts.arrival >= end) continue;
      arrivals[intervals.of(facts.arrival.seconds())] += 1;
      if (outcome.fate == serving::Fate::rejected_over_context) continue;
      const bool begun = outcome.queued_until >= Time{0};
      intervals.add(waiting, facts.arrival.seconds(), begun ? outcome.queued_until.seconds() : end_s);
      if (begun && outcome.replica >= 0) add_running(intervals, request, end_s, sums[pool_of_replica[static_cast<std::size_t>(outcome.replica)]]);
    }
    activity.traffics.push_back({over(arrivals, activity.interval_s), over(waiting, activity.interval_s)});
  }
  for (const PoolSums& pool : sums) {
    activity.pools.push_back(
        {over(pool.running, activity.interval_s), over(pool.context, activity.interval_s), over(pool.tokens, activity.interval_s)});
  }
  return activity;
}

const std::vector<double>& latency_shares() {
  static const std::vector<double> shares = [] {
    std::vector<double> all;
    for (int hundredth = 0; hundredth <= 100; ++hundredth) all.push_back(hundredth / 100.0);
    all.insert(all.end() - 1, {0.995, 0.999});
    return all;
  }();
  return shares;
}

std::vector<double> at_latency_shares(std::vector<double>& samples) {
  std::vector<double> found;
  if (samples.empty()) return found;
  std::sort(samples.begin(), samples.end());
  for (const double share : latency_shares()) {
    const double position = share * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    found.push_back(samples[below] + (position - static_cast<double>(below)) * (samples[above] - samples[below]));
  }
  return found;
}

}  // namespace joulecast::scenario
