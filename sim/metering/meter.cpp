#include "metering/meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace joulecast::metering {

namespace {

/// The step of a series that holds the instant `after` the series' start, 0 <= after < duration.sum(steps): the largest j with
/// duration.sum(j) <= after. The root of grow/2 j^2 + (first - grow/2) j = after, then corrected with exact sums.
std::int64_t step_holding(FixedTime after, std::int64_t steps, const Progression<SecondsTag>& duration) {
  if (steps == 1) return 0;
  const auto grow = static_cast<long double>(duration.grow.raw);
  const long double linear = static_cast<long double>(duration.first.raw) - grow / 2;
  const auto x = static_cast<long double>(after.raw);
  const long double root = std::sqrt(std::max(0.0L, linear * linear + 2 * grow * x));
  const long double guess = linear >= 0 ? 2 * x / (linear + root) : (root - linear) / grow;
  auto step = static_cast<std::int64_t>(std::clamp(guess, 0.0L, static_cast<long double>(steps - 1)));
  while (step > 0 && duration.sum(step) > after) --step;
  while (step + 1 < steps && duration.sum(step + 1) <= after) ++step;
  return step;
}

}  // namespace

std::string_view name(State state) {
  constexpr std::string_view names[] = {"bare_idle", "context_idle", "spin_wait", "active"};
  return names[static_cast<int>(state)];
}

Meter::Meter(std::string device, int gpus, Span bin) : device_(std::move(device)), gpus_(gpus), bin_(FixedTime::from_nano(bin.ns)) {
  JOULECAST_CHECK(bin.ns > 0, fmt::format("meter of {}: a bin of {} ns", device_, bin.ns));
}

void Meter::add_across(Account& account, FixedTime from, std::int64_t steps, const Progression<SecondsTag>& duration,
                       const Progression<JoulesTag>& energy) {
  JOULECAST_CHECK(from == covered_, fmt::format("meter of {}: an interval begins at {:.9f} s where {:.9f} s are covered (2^-24 ns: {})", device_,
                                                from.units(), covered_.units(), static_cast<std::int64_t>(from.raw - covered_.raw)));
  JOULECAST_CHECK(steps >= 0, fmt::format("meter of {}: {} steps", device_, steps));
  const FixedTime seconds = duration.sum(steps);
  const FixedEnergy joules = energy.sum(steps);
  if (steps == 0 || seconds == FixedTime{}) {
    JOULECAST_CHECK(joules == FixedEnergy{}, fmt::format("meter of {}: {} J in no time at {:.9f} s", device_, joules.units(), from.units()));
    return;
  }
  JOULECAST_CHECK(
      duration.first > FixedTime{} && duration.at(steps - 1) > FixedTime{},
      fmt::format("meter of {}: steps of {} s to {} s at {:.9f} s", device_, duration.first.units(), duration.at(steps - 1).units(), from.units()));
  const FixedTime to = from + seconds;
  if (from >= account.open_end) {
    const auto bin = static_cast<std::int64_t>(from.raw / bin_.raw);
    account.bins.resize(static_cast<std::size_t>(bin) + 1);
    account.open_end = (bin + 1) * bin_;
    account.floor_at_start = account.joules.floor_nano();
  }
  for (; account.open_end < to; account.open_end += bin_) {
    const FixedTime after = account.open_end - from;
    const std::int64_t step = step_holding(after, steps, duration);
    const FixedEnergy within = share(energy.at(step), after - duration.sum(step), duration.at(step));
    const std::int64_t floor = (account.joules + energy.sum(step) + within).floor_nano();
    account.bins.back() = floor - account.floor_at_start;
    account.bins.push_back(0);
    account.floor_at_start = floor;
  }
  record(account, to, seconds, joules);
}

}  // namespace joulecast::metering
