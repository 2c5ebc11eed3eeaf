#include "policy/routing/belief_check.hpp"

#include <fmt/format.h>

namespace joulecast::policy {
namespace {

void check_belief(bool clamp, const serving::PoolChoice& choice, const serving::PoolFacts& pool, const Place& place,
                  config::Diagnostics& diagnostics) {
  const control::EnergyBelief& belief = *pool.belief;
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

void check_beliefs(bool clamp, const serving::PoolChoice& choice, const Place& place, config::Diagnostics& diagnostics) {
  for (const serving::PoolFacts& pool : choice.pools) check_belief(clamp, choice, pool, place, diagnostics);
}

}  // namespace joulecast::policy
