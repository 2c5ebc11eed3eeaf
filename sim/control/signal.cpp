#include "control/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace joulecast::control {

Signal::Signal(std::shared_ptr<const traces::Series> series, std::int64_t run_begins_ns, bool repeat, double scale)
    : series_(std::move(series)), run_begins_ns_(run_begins_ns), repeat_(repeat), scale_(scale) {
  JOULECAST_CHECK(series_ != nullptr && !series_->value.empty(), "a signal of a series without values");
  JOULECAST_CHECK(repeat_ || (series_->start_ns.front() <= run_begins_ns_ && run_begins_ns_ < series_->end_ns),
                  "a run that begins outside its series");
}

Signal::Where Signal::where(Time now) const {
  const std::int64_t first = series_->start_ns.front(), period = series_->end_ns - first;
  std::int64_t after = run_begins_ns_ - first + now.ns;
  std::int64_t round = 0;
  if (repeat_) {
    round = after / period - (after % period < 0 ? 1 : 0);
    after -= round * period;
  }
  const auto next = std::upper_bound(series_->start_ns.begin(), series_->start_ns.end(), first + after);
  return {static_cast<std::size_t>(next - series_->start_ns.begin()) - 1, now.ns - after};
}

double Signal::at(Time now) const { return series_ == nullptr ? constant_ : scale_ * series_->value[where(now).step]; }

Time Signal::next_change(Time now) const {
  if (series_ == nullptr) return kForever;
  const auto [step, begins] = where(now);
  const std::int64_t first = series_->start_ns.front();
  if (step + 1 < series_->start_ns.size()) return {begins + (series_->start_ns[step + 1] - first)};
  return repeat_ ? Time{begins + (series_->end_ns - first)} : kForever;
}

std::vector<metering::RateStep> Signal::steps(Time end) const {
  std::vector<metering::RateStep> steps;
  for (Time from{0}; from < end || steps.empty(); from = next_change(from)) steps.push_back({from, at(from)});
  return steps;
}

Time Signal::covered_until() const {
  if (series_ == nullptr || repeat_) return kForever;
  return {series_->end_ns - run_begins_ns_};
}

const Signal& required_signal(const Signal* signal, std::string_view policy, std::string_view what, std::string_view site, const Place& place) {
  if (signal != nullptr) return *signal;
  throw UserError(place, fmt::format("policy \"{}\" needs the {} of site \"{}\", which states none", policy, what, site),
                  fmt::format("add {} to [site.{}], constant or as a series, or choose another policy", what, site));
}

}  // namespace joulecast::control
