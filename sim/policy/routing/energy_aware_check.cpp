#include <fmt/format.h>

#include <algorithm>

#include "policy/routing/energy_aware.hpp"

namespace joulecast::policy {
namespace {

/// Sums of shares are taken as equal to 1 within this.
constexpr double kRounding = 1e-9;

struct Bounded {
  double least = 0, most = 0;  ///< sums over the traffic's models
};

Bounded check_shares(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                     config::Diagnostics& diagnostics) {
  std::vector<std::string> models;
  for (const serving::PoolFacts& pool : choice.pools) {
    if (std::find(models.begin(), models.end(), pool.model) == models.end()) models.push_back(pool.model);
  }
  Bounded sum;
  std::size_t bounded = 0;
  for (const ShareBounds& share : parameters.shares) {
    if (std::find(models.begin(), models.end(), share.model) != models.end()) {
      ++bounded;
      sum.least += share.at_least;
      sum.most += share.at_most;
    } else if (std::find(choice.known_models.begin(), choice.known_models.end(), share.model) == choice.known_models.end()) {
      const std::string near = config::nearest(share.model, choice.known_models);
      diagnostics.error(share.place, fmt::format("shares name the model \"{}\", which no pool has", share.model),
                        near.empty() ? "name a pool's model" : fmt::format("did you mean \"{}\"?", near));
    } else if (share.at_least > 0) {
      diagnostics.error(share.place,
                        fmt::format("the share of \"{}\" cannot be met: the model does not serve traffic \"{}\"", share.model, choice.traffic),
                        "add it to the traffic's models, or leave at_least out");
    }
  }
  sum.most += static_cast<double>(models.size() - bounded);
  if (sum.least > 1 + kRounding) {
    diagnostics.error(place, fmt::format("shares cannot be met for traffic \"{}\": they ask for {:g} % at least", choice.traffic, 100 * sum.least),
                      "let at_least add up to 100 % or less");
  }
  if (sum.most < 1 - kRounding) {
    diagnostics.error(place, fmt::format("shares cannot be met for traffic \"{}\": they allow {:g} % at most", choice.traffic, 100 * sum.most),
                      "let the shares at most add up to 100 % or more; a model that is not named may have all");
  }
  return sum;
}

void check_accuracy(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice, const Bounded& shares, const Place& place,
                    config::Diagnostics& diagnostics) {
  const auto per = choice.pools.front().accuracy->per;
  for (const serving::PoolFacts& pool : choice.pools) {
    if (pool.accuracy->per == per) continue;
    diagnostics.error(place,
                      fmt::format("the models of traffic \"{}\" state accuracy per request and per token, which do not compare", choice.traffic),
                      "state it in one way for all of them");
    return;
  }
  const bool free = shares.least < 1 - kRounding && shares.most > 1 + kRounding;
  if (free || per == serving::ModelAccuracy::Per::token || parameters.zeta == 1) return;
  diagnostics.error(
      place,
      fmt::format("zeta would do nothing for traffic \"{}\": the shares leave no freedom, and with one accuracy a request their sum is the same "
                  "whichever requests go where (the constant-accuracy trap)",
                  choice.traffic),
      "leave room between at_least and at_most, or state accuracy per = \"token\", or write zeta = 1");
}

void check_belief(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice, const serving::PoolFacts& pool, const Place& place,
                  config::Diagnostics& diagnostics) {
  const control::EnergyBelief& belief = *pool.belief;
  const bool clamp = parameters.out_of_range == "clamp";
  const auto tell = [&](const std::string& what, const std::string& clamped) {
    if (clamp) {
      diagnostics.note(what + "; " + clamped);
    } else {
      diagnostics.error(place, what, "write energy_model = \"fitted\", or out_of_range = \"clamp\" to have them taken at the edge");
    }
  };
  if (!belief.range.holds(choice.lengths)) {
    tell(fmt::format("pool \"{}\": the energy model \"{}\" holds for {}, traffic \"{}\" has {}", pool.pool, belief.source, belief.range.text(),
                     choice.traffic, choice.lengths.text()),
         "lengths outside are taken at its edge");
  }
  const double least = belief.least_joules(choice.lengths);
  if (least < 0) {
    tell(fmt::format("pool \"{}\": the energy model \"{}\" is negative for lengths that traffic \"{}\" has, down to {:.3g} J", pool.pool,
                     belief.source, choice.traffic, least),
         "negative joules are taken as 0");
  }
  if (!(belief.clamped_joules(choice.mean_input, choice.mean_output) > 0)) {
    diagnostics.error(place,
                      fmt::format("pool \"{}\": the energy model \"{}\" is not above 0 J for the mean lengths of traffic \"{}\"", pool.pool,
                                  belief.source, choice.traffic),
                      "write energy_model = \"fitted\"");
  }
}

}  // namespace

void check_energy_aware(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                        config::Diagnostics& diagnostics) {
  const Bounded shares = check_shares(parameters, choice, place, diagnostics);
  check_accuracy(parameters, choice, shares, place, diagnostics);
  for (const serving::PoolFacts& pool : choice.pools) check_belief(parameters, choice, pool, place, diagnostics);
}

}  // namespace joulecast::policy
