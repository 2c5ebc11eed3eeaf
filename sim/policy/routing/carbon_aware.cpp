#include "policy/routing/carbon_aware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "policy/routing/belief_check.hpp"
#include "policy/routing/least_outstanding_pool.hpp"

namespace joulecast::policy {
namespace {

bool near_enough(const CarbonAwareParameters& parameters, const serving::PoolFacts& pool) {
  return !parameters.max_network_latency || pool.network_s <= parameters.max_network_latency->si();
}

class CarbonAware final : public serving::PoolRouter {
 public:
  CarbonAware(const CarbonAwareParameters& parameters, const serving::PoolChoice& choice)
      : max_outstanding_(parameters.max_outstanding), pools_(choice.pools) {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      JOULECAST_CHECK(pools_[i].belief && pools_[i].site.carbon != nullptr, "carbon_aware needs a belief and a carbon intensity of every pool");
      if (near_enough(parameters, pools_[i])) near_.push_back(i);
    }
    JOULECAST_CHECK(!near_.empty(), "carbon_aware has no pool near enough");
  }

  std::size_t choose(const serving::RoutedRequest& request, const engine::Views<serving::PoolView>& pools, Time now, Stream&) override {
    std::optional<std::size_t> best;
    double least_grams = 0, least_joules = 0;
    for (const std::size_t i : near_) {
      if (max_outstanding_) {
        const serving::PoolView view = pools.at(i, now);
        if (view.outstanding() >= *max_outstanding_ * view.replicas) continue;
      }
      const serving::PoolFacts& pool = pools_[i];
      const double joules = pool.belief->clamped_joules(request.input, request.predicted_output);
      const double grams = joules * pool.pue * pool.site.carbon->at(now);
      if (best && (grams > least_grams || (grams == least_grams && joules >= least_joules))) continue;
      best = i;
      least_grams = grams;
      least_joules = joules;
    }
    return best ? *best : least_loaded(near_, pools, now);
  }

 private:
  std::optional<std::int64_t> max_outstanding_;
  std::vector<serving::PoolFacts> pools_;
  std::vector<std::size_t> near_;
};

}  // namespace

config::Record<CarbonAwareParameters> carbon_aware_record() {
  using P = CarbonAwareParameters;
  config::Record<P> record("carbon_aware");
  record
      .optional("energy_model", &P::energy_model, "\"fitted\"", config::Bounds::any(),
                "what it believes of a request's energy: \"fitted\" to a token sweep of each pool, a shipped set by name, or a .toml file")
      .optional("profile_batch", &P::profile_batch, "1", config::Bounds::between(1, 16384),
                "with \"fitted\": how many equal requests the sweep serves at once")
      .optional("out_of_range", &P::out_of_range, "\"refuse\"", config::Bounds::any(),
                "lengths for which the energy model does not hold or is negative: \"refuse\" the scenario, or \"clamp\" them, with a note")
      .optional("max_outstanding", &P::max_outstanding, "no bound", config::Bounds::between(1, 1e6),
                "waiting and running requests a replica at which a pool is full: the next least grams take the request")
      .optional("max_network_latency", &P::max_network_latency, "no bound", config::Bounds::not_negative(), "sites further away are not used")
      .check([](const P& p, const Place& place, config::Diagnostics& diagnostics) {
        if (p.out_of_range != "refuse" && p.out_of_range != "clamp") {
          diagnostics.error(place, "out_of_range = \"" + p.out_of_range + "\" is not known", "write \"refuse\" or \"clamp\"");
        }
      });
  return record;
}

void check_carbon_aware(const CarbonAwareParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                        config::Diagnostics& diagnostics) {
  std::vector<std::string_view> sites;
  for (const serving::PoolFacts& pool : choice.pools) {
    if (std::find(sites.begin(), sites.end(), pool.site.site) != sites.end()) continue;
    sites.push_back(pool.site.site);
    try {
      control::required_signal(pool.site.carbon, "carbon_aware", "carbon", pool.site.site, place);
    } catch (const UserError& error) {
      for (const UserFault& fault : error.faults()) diagnostics.error(fault.place, fault.what, fault.remedy);
    }
  }
  if (std::none_of(choice.pools.begin(), choice.pools.end(), [&](const auto& pool) { return near_enough(parameters, pool); })) {
    diagnostics.error(place, fmt::format("no pool of traffic \"{}\" is within max_network_latency", choice.traffic),
                      "raise it, or lower network_latency of a site");
  }
  if (sites.size() == 1) {
    diagnostics.note(
        fmt::format("carbon_aware: the pools of traffic \"{}\" stand at one site, so the least joules are the least grams", choice.traffic));
  }
  check_beliefs(parameters.out_of_range == "clamp", choice, place, diagnostics);
}

std::unique_ptr<serving::PoolRouter> make_carbon_aware(const CarbonAwareParameters& parameters, const serving::PoolChoice& choice) {
  return std::make_unique<CarbonAware>(parameters, choice);
}

}  // namespace joulecast::policy
