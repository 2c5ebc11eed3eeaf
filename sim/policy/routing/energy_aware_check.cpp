#include <fmt/format.h>

#include <algorithm>

#include "policy/routing/belief_check.hpp"
#include "policy/routing/energy_aware.hpp"

namespace joulecast::policy {
namespace {

/// Sums of shares are taken as equal to 1 within this.
constexpr double kSumRounding = 1e-9;

struct Bounded {
  double least = 0, most = 0;  ///< sums over the traffic's models
  bool free = false;           ///< whether any model's share may be more than one figure
};

/// A model's share is as free as its own bounds and those of the others leave it: at least what these cannot take, at most what they need not.
bool any_freedom(const std::vector<std::string>& models, const EnergyAwareParameters& parameters, const Bounded& sum) {
  for (const std::string& model : models) {
    double least = 0, most = 1;
    for (const ShareBounds& share : parameters.shares) {
      if (share.model != model) continue;
      least = share.at_least;
      most = share.at_most;
    }
    const double others_least = sum.least - least, others_most = sum.most - most;
    if (std::min(most, 1 - others_least) - std::max(least, 1 - others_most) > kSumRounding) return true;
  }
  return false;
}

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
  if (sum.least > 1 + kSumRounding) {
    diagnostics.error(place, fmt::format("shares cannot be met for traffic \"{}\": they ask for {:g} % at least", choice.traffic, 100 * sum.least),
                      "let at_least add up to 100 % or less");
  }
  if (sum.most < 1 - kSumRounding) {
    diagnostics.error(place, fmt::format("shares cannot be met for traffic \"{}\": they allow {:g} % at most", choice.traffic, 100 * sum.most),
                      "let the shares at most add up to 100 % or more; a model that is not named may have all");
  }
  sum.free = any_freedom(models, parameters, sum);
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
  if (shares.free || per == serving::ModelAccuracy::Per::token || parameters.zeta.is_always(1)) return;
  diagnostics.error(
      place,
      fmt::format("zeta would do nothing for traffic \"{}\": the shares leave no freedom, and with one accuracy a request their sum is the same "
                  "whichever requests go where (the constant-accuracy trap)",
                  choice.traffic),
      "leave room between at_least and at_most, or state accuracy per = \"token\", or write zeta = 1");
}

}  // namespace

void check_energy_aware(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice, const Place& place,
                        config::Diagnostics& diagnostics) {
  check_zeta(parameters.zeta, choice, place, diagnostics);
  const Bounded shares = check_shares(parameters, choice, place, diagnostics);
  check_accuracy(parameters, choice, shares, place, diagnostics);
  check_beliefs(parameters.out_of_range == "clamp", choice, place, diagnostics);
}

}  // namespace joulecast::policy
