#include "policy/routing/slo_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

using control::ServiceBelief;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Limits {
  double ttft = kNoLimit, tpot = kNoLimit;
};

Limits limits_of(const SloEnergyParameters& parameters, const serving::PoolChoice& choice) {
  Limits limits;
  if (parameters.ttft || choice.ttft_s) limits.ttft = parameters.ttft ? parameters.ttft->si() : *choice.ttft_s;
  if (parameters.tpot || choice.tpot_s) limits.tpot = parameters.tpot ? parameters.tpot->si() : *choice.tpot_s;
  return {limits.ttft * (1 - parameters.margin), limits.tpot * (1 - parameters.margin)};
}

/// A pool's load, a replica.
struct Load {
  double running = 0, queued_tokens = 0;
};

/// The worse of predicted TTFT and TPOT, each over its limit.
double strain(const serving::PoolFacts& pool, const Load& load, double input, double context, const Limits& limits) {
  const ServiceBelief& belief = *pool.service;
  const double step = belief.step_seconds.at(load.running + 1, load.running * context + input);
  const double ttft = pool.network_s + belief.prompt_seconds.at(load.queued_tokens + input) + step;
  return std::max(ttft / limits.ttft, step / belief.tokens_a_step / limits.tpot);
}

class SloEnergy final : public serving::PoolRouter {
 public:
  SloEnergy(const SloEnergyParameters& parameters, const serving::PoolChoice& choice)
      : limits_(limits_of(parameters, choice)), context_(choice.mean_input + choice.mean_output / 2), pools_(choice.pools) {
    for (const serving::PoolFacts& pool : pools_) JOULECAST_CHECK(pool.service, "slo_energy needs what is believed of every pool's steps");
  }

  std::size_t choose(const serving::RoutedRequest& request, const engine::Views<serving::PoolView>& pools, Time now, Stream&) override {
    std::size_t best = 0;
    std::pair<double, double> least{kNoLimit, kNoLimit};  // strain beyond 1, added joules
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      const serving::PoolView view = pools.at(i, now);
      // Waiting requests run by the time this one does.
      const Load load{static_cast<double>(view.outstanding()) / view.replicas, static_cast<double>(view.tokens_queued) / view.replicas};
      const double beyond = std::max(1.0, strain(pools_[i], load, request.input, context_, limits_));
      const std::pair cost{beyond, pools_[i].service->added_joules(request.input, request.predicted_output, load.running, context_)};
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    return best;
  }

 private:
  Limits limits_;
  double context_;
  std::vector<serving::PoolFacts> pools_;
};

}  // namespace

config::Record<SloEnergyParameters> slo_energy_record() {
  using P = SloEnergyParameters;
  config::Record<P> record("slo_energy");
  record.optional("ttft", &P::ttft, "the traffic's slo", config::Bounds::positive(), "predicted time to the first token at most")
      .optional("tpot", &P::tpot, "the traffic's slo", config::Bounds::positive(), "predicted time a further token at most")
      .optional("margin", &P::margin, "0.1", config::Bounds::between(0, 0.9), "by how much of a limit a prediction must stay below it");
  return record;
}

void check_slo_energy(const SloEnergyParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                      config::Diagnostics& diagnostics) {
  const Limits limits = limits_of(parameters, choice);
  if (limits.ttft == kNoLimit && limits.tpot == kNoLimit) {
    diagnostics.error(place, fmt::format("slo_energy has no limit to hold for traffic \"{}\"", choice.traffic),
                      fmt::format("add slo = {{ ttft = \"2 s\", tpot = \"80 ms\" }} to [traffic.{}], or ttft or tpot to the policy", choice.traffic));
    return;
  }
  for (const serving::PoolFacts& pool : choice.pools) {
    if (strain(pool, {}, choice.mean_input, 0, limits) <= 1) continue;
    diagnostics.note(
        fmt::format("pool \"{}\": slo_energy believes that it does not hold the limits of traffic \"{}\" even when idle", pool.pool, choice.traffic));
  }
}

std::unique_ptr<serving::PoolRouter> make_slo_energy(const SloEnergyParameters& parameters, const serving::PoolChoice& choice) {
  return std::make_unique<SloEnergy>(parameters, choice);
}

}  // namespace joulecast::policy
