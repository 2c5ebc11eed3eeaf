#pragma once

#include <optional>

#include "scenario/result.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// First-order 80 % half-widths of the energy at each boundary from the errors that profiles state, taken as independent: a class's watts move its
/// joules; its seconds move its joules less what the GPUs would have drawn idle in that time; idle watts move the idle joules; host and fan watts
/// move what lies between GPU and AC. Moves carry from GPU to AC by the slope of the node's AC curve at its mean load. Where the profile's error of
/// bottom-up joules a token, as found on runs, is wider than its classes' errors together, these are widened in proportion to it.
std::optional<Spread> spread(const Scenario& scenario, const metering::EnergyAccount& energy);

/// How much wider than its profile states the errors of a pool's classes are taken, so that together they are at least the error of bottom-up joules a token
/// that was found on runs: 1 or more.
double widening(const Scenario& scenario, const Pool& pool, const metering::PoolAccount& account);

}  // namespace joulecast::scenario
