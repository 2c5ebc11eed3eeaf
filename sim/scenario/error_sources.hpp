#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "metering/ledger.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

/// One thing about the hardware that a scenario does not know for sure: a figure of a profile, or figures that were fitted together and move together.
struct ErrorSource {
  std::string name;                                         ///< "H100 SXM GEMM watts"; its draws are keyed by it
  std::string file;                                         ///< the profile, as `hardware_profiles/..` where it is shipped
  std::string key;                                          ///< in it: "class_watts.gemm_base, class_watts.gemm_slope"
  double relative_error = 0;                                ///< half-width of the 80 % interval, as the profile states it
  double drawn_error = 0;                                   ///< that which is drawn: the same, or wider (the widest of the pools it moves)
  std::string remedy;                                       ///< what would narrow it: a measurement or a command
  std::function<void(Scenario&, double normal)> move = {};  ///< to where a standard normal number draws it
};

/// What a figure that is not below 0 is multiplied by where a standard normal number draws its error: exp(z * asinh(e) / 1.2816), the log-normal law whose
/// median is the stated value and whose 80 % interval is 2e of it wide. It is symmetric in the ratio, so that 100 % of error never makes a figure negative, and
/// for small errors it is the normal law.
double drawn_factor(double relative_error, double normal);

/// Everything that profiles in use state an error of and that moves this scenario: of a GPU watts and seconds by class of work, idle watts, clock curves
/// (where a clock or cap is set), switch latency, memory beside KV, training efficiencies; of a node host, fans, supplies; of a fabric switches, optics, NICs.
///
/// The seconds and watts of a pool's classes are widened as `spread` widens them (`energy` is the account of the run as stated): together they give at least
/// the error of bottom-up joules a token. Beliefs of policies stay what they were: an operator's profile does not follow the truth. Where a pool names steps
/// measured of its model, its classes are held to them, so their errors act only as far as the points do not reach.
std::vector<ErrorSource> error_sources(const Scenario& scenario, const metering::EnergyAccount& energy);

/// The scenario with every source where its normal number draws it. Shares stay at most 1; an engine keeps room for its longest request.
Scenario perturbed(const Scenario& scenario, std::span<const ErrorSource> sources, std::span<const double> normals);

}  // namespace joulecast::scenario
