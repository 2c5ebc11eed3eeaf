#include "policy/scaling/autoscale.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "policy/scaling/loading.hpp"

namespace joulecast::policy {
namespace {

using control::ReplicaState;

class Autoscale final : public control::Scaler {
 public:
  Autoscale(const AutoscaleParameters& parameters, const control::ScalingFacts& facts)
      : parameters_(parameters),
        loading_{parameters.load_time, parameters.load_power},
        facts_(facts),
        target_(parameters.target.value_or(0.5 * static_cast<double>(facts.max_num_seqs))),
        cooldown_(parameters.cooldown ? span_from_seconds(parameters.cooldown->si()) : break_even(loading_, facts)) {}

  Span period() const override { return span_from_seconds(parameters_.period.si()); }
  control::LoadTimes load_times() const override { return policy::load_times(loading_, facts_); }

  void decide(std::span<const ReplicaState> replicas, Time now, std::vector<bool>& loaded) override {
    std::int64_t outstanding = 0, up = 0;
    for (std::size_t r = 0; r < replicas.size(); ++r) {
      outstanding += replicas[r].outstanding();
      up += loaded[r] ? 1 : 0;
    }
    const auto all = static_cast<std::int64_t>(replicas.size());
    const std::int64_t wanted =
        std::clamp(static_cast<std::int64_t>(std::ceil(static_cast<double>(outstanding) / target_)), std::min(parameters_.min_replicas, all), all);
    wanted_.emplace_back(now, wanted);
    while (wanted_.front().first + cooldown_ < now) wanted_.pop_front();
    for (std::size_t r = 0; r < loaded.size() && up < wanted; ++r) {
      up += loaded[r] ? 0 : 1;
      loaded[r] = true;
    }
    if (now < Time{0} + cooldown_) return;
    const auto most = std::max_element(wanted_.begin(), wanted_.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->second;
    for (std::size_t r = loaded.size(); r-- > 0 && up > most;) {
      up -= loaded[r] ? 1 : 0;
      loaded[r] = false;
    }
  }

 private:
  AutoscaleParameters parameters_;
  LoadingParameters loading_;
  control::ScalingFacts facts_;
  double target_;
  Span cooldown_;
  std::deque<std::pair<Time, std::int64_t>> wanted_;  ///< within the cooldown
};

}  // namespace

config::Record<AutoscaleParameters> autoscale_record() {
  using P = AutoscaleParameters;
  using config::Bounds;
  config::Record<P> record("autoscale");
  add_loading(record, &P::load_time, &P::load_power);
  record.optional("min_replicas", &P::min_replicas, "1", Bounds::between(1, 500000), "replicas that always stay loaded")
      .optional("target", &P::target, "half of max_num_seqs", Bounds::positive(), "outstanding requests a loaded replica")
      .optional("cooldown", &P::cooldown, "the break-even of loading", Bounds::between(0, 86400),
                "fewer are needed for so long before one is unloaded")
      .optional("period", &P::period, "\"10 s\"", Bounds::between(0.01, 3600), "time between two decisions");
  return record;
}

std::unique_ptr<control::Scaler> make_autoscale(const AutoscaleParameters& parameters, const control::ScalingFacts& facts) {
  return std::make_unique<Autoscale>(parameters, facts);
}

}  // namespace joulecast::policy
