#pragma once

#include <string>

#include "control/energy_belief.hpp"
#include "policy/registry.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// The file of published beliefs that `energy_model` names: a .toml file relative to `place`'s, or a shipped set. UserError with the known ones.
std::string belief_path(const std::string& share, const std::string& energy_model, const Place& place);

/// What an operator who profiles one replica of the pool would believe: a fit to a token sweep over `range` at the wanted batch.
control::EnergyBelief fitted_belief(const Scenario& scenario, const Pool& pool, std::int64_t batch, const control::TokenRange& range);

/// How such an operator would believe the pool's steps to be, for requests of at most `longest` tokens.
control::ServiceBelief profiled_service(const Scenario& scenario, const Pool& pool, std::int64_t longest);

}  // namespace joulecast::scenario
