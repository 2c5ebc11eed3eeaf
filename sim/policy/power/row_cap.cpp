#include "policy/power/row_cap.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace joulecast::policy {
namespace {

using control::PowerSetting;
using control::Priority;

class RowCap final : public control::PowerController {
 public:
  RowCap(const RowCapParameters& parameters, const control::PowerFacts& facts) : parameters_(parameters), facts_(facts) {}

  Span period() const override { return span_from_seconds(parameters_.period.si()); }
  Span latency() const override { return span_from_seconds((braked_ ? parameters_.brake_latency : parameters_.latency).si()); }

  void decide(const control::PowerReading& reading, Time, std::vector<PowerSetting>& settings) override {
    const double share = reading.watts / facts_.usable->si();
    const RowCapParameters& p = parameters_;
    if (share >= p.second_threshold) {
      high_ = high_ || low_ == Low::second;
      low_ = Low::second;
    } else if (share >= p.first_threshold) {
      low_ = std::max(low_, Low::first);
    }
    if (share < p.second_threshold - p.release) {
      high_ = false;
      low_ = std::min(low_, Low::first);
    }
    if (share < p.first_threshold - p.release) low_ = Low::none;
    braked_ = share >= p.brake || (braked_ && share >= p.second_threshold - p.release);
    for (std::size_t i = 0; i < settings.size(); ++i) settings[i] = setting(facts_.pools[i]);
  }

 private:
  enum class Low : std::uint8_t { none, first, second };

  PowerSetting setting(const control::PowerPool& pool) const {
    const auto lock = [&](double share) { return PowerSetting{std::nullopt, std::max(pool.lowest, share * pool.highest)}; };
    if (braked_) return lock(parameters_.brake_clock);
    if (pool.priority == Priority::high) return high_ ? lock(parameters_.high_clock) : PowerSetting{};
    if (low_ == Low::none) return {};
    return lock(low_ == Low::first ? parameters_.low_clock : parameters_.low_clock_second);
  }

  RowCapParameters parameters_;
  control::PowerFacts facts_;
  Low low_ = Low::none;
  bool high_ = false, braked_ = false;
};

}  // namespace

config::Record<RowCapParameters> row_cap_record() {
  using P = RowCapParameters;
  using config::Bounds;
  const Bounds share = Bounds::between(0.01, 1);
  config::Record<P> record("row_cap");
  record
      .optional("first_threshold", &P::first_threshold, "0.80", Bounds::between(0.01, 10),
                "share of the usable watts above which low priority is locked")
      .optional("second_threshold", &P::second_threshold, "0.89", Bounds::between(0.01, 10),
                "share above which it is locked lower, then high priority too")
      .optional("release", &P::release, "0.05", Bounds::between(0, 1), "a lock ends so far below its threshold")
      .optional("low_clock", &P::low_clock, "0.904", share, "low priority above the first threshold, share of the highest clock")
      .optional("low_clock_second", &P::low_clock_second, "0.787", share, "low priority above the second threshold")
      .optional("high_clock", &P::high_clock, "0.926", share, "high priority above the second threshold")
      .optional("brake", &P::brake, "1.0", Bounds::between(0.01, 10), "share of the usable watts at which all pools go to brake_clock")
      .optional("brake_clock", &P::brake_clock, "0.204", share, "share of the highest clock")
      .optional("period", &P::period, "\"2 s\"", Bounds::between(0.01, 3600), "time between two readings of the row's meter")
      .optional("latency", &P::latency, "\"40 s\"", Bounds::between(0, 3600), "from a decision until it reaches the GPUs (out of band: up to 40 s)")
      .optional("brake_latency", &P::brake_latency, "\"5 s\"", Bounds::between(0, 3600), "the same of the brake")
      .check([](const P& p, const Place& place, config::Diagnostics& diagnostics) {
        if (p.first_threshold <= p.second_threshold) return;
        diagnostics.error(place, "first_threshold is above second_threshold", "write the lower share first: 0.80 and 0.89");
      });
  return record;
}

std::unique_ptr<control::PowerController> make_row_cap(const RowCapParameters& parameters, const control::PowerFacts& facts, const Place& place) {
  if (!facts.usable) {
    throw UserError(place, fmt::format("policy \"row_cap\" holds what a feed may carry, and {} has no rating", facts.place),
                    "name it in [feed.NAME] policy, or choose budget for a site");
  }
  return std::make_unique<RowCap>(parameters, facts);
}

}  // namespace joulecast::policy
