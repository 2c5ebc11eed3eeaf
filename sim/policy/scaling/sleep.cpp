#include "policy/scaling/sleep.hpp"

#include <algorithm>

#include "policy/scaling/loading.hpp"

namespace joulecast::policy {
namespace {

using control::Readiness;
using control::ReplicaState;

class Sleep final : public control::Scaler {
 public:
  Sleep(const SleepParameters& parameters, const control::ScalingFacts& facts)
      : parameters_(parameters),
        loading_{parameters.load_time, parameters.load_power},
        facts_(facts),
        after_(parameters.after ? span_from_seconds(parameters.after->si()) : break_even(loading_, facts)),
        idle_since_(static_cast<std::size_t>(facts.replicas), Time{0}),
        arrived_(static_cast<std::size_t>(facts.replicas), 0) {}

  Span period() const override { return span_from_seconds(parameters_.period.si()); }
  control::LoadTimes load_times() const override { return policy::load_times(loading_, facts_); }

  void decide(std::span<const ReplicaState> replicas, Time now, std::vector<bool>& loaded) override {
    bool queue_everywhere = true;
    for (std::size_t r = 0; r < replicas.size(); ++r) {
      const ReplicaState& replica = replicas[r];
      if (replica.outstanding() > 0 || replica.requests_arrived != arrived_[r] || replica.readiness == Readiness::loading) idle_since_[r] = now;
      arrived_[r] = replica.requests_arrived;
      // Who waits for a replica that loads is not in want of another.
      if (replica.readiness == Readiness::loading || (loaded[r] && replica.waiting == 0)) queue_everywhere = false;
    }
    if (queue_everywhere) wake_one(loaded, now);
    for (std::size_t r = static_cast<std::size_t>(parameters_.min_replicas); r < loaded.size(); ++r) {
      if (idle_since_[r] + after_ <= now) loaded[r] = false;
    }
  }

 private:
  void wake_one(std::vector<bool>& loaded, Time now) {
    const auto first = std::find(loaded.begin(), loaded.end(), false);
    if (first == loaded.end() || std::find(loaded.begin(), loaded.end(), true) == loaded.end()) return;
    *first = true;
    idle_since_[static_cast<std::size_t>(first - loaded.begin())] = now;
  }

  SleepParameters parameters_;
  LoadingParameters loading_;
  control::ScalingFacts facts_;
  Span after_;
  std::vector<Time> idle_since_;       ///< a replica
  std::vector<std::int64_t> arrived_;  ///< requests until the last decision
};

}  // namespace

config::Record<SleepParameters> sleep_record() {
  using P = SleepParameters;
  using config::Bounds;
  config::Record<P> record("sleep");
  add_loading(record, &P::load_time, &P::load_power);
  record.optional("after", &P::after, "the break-even of loading", Bounds::between(0, 86400), "time without work before a replica is unloaded")
      .optional("min_replicas", &P::min_replicas, "0", Bounds::between(0, 500000), "replicas that always stay loaded")
      .optional("period", &P::period, "\"1 s\"", Bounds::between(0.01, 3600), "time between two decisions");
  return record;
}

std::unique_ptr<control::Scaler> make_sleep(const SleepParameters& parameters, const control::ScalingFacts& facts) {
  return std::make_unique<Sleep>(parameters, facts);
}

}  // namespace joulecast::policy
