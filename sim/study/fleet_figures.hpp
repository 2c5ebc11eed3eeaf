#pragma once

#include <map>
#include <optional>
#include <string>

#include "metering/ledger.hpp"
#include "scenario/result.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::study {

/// Money a second, in the scenario's currency. A total without what the hardware costs is none.
struct CostRate {
  std::optional<double> energy, demand, rental, capital;
  std::optional<double> total;  ///< where the hardware has a price

  double hardware() const { return rental.value_or(0) + capital.value_or(0); }
};

/// What a fleet takes, from one run.
struct FleetFigures {
  int nodes = 0, gpus = 0, replicas = 0;
  double peak_it_watts = 0;  ///< the largest mean of `peak_window_s`; of 15 min where the run lasts as long
  double peak_window_s = 900;
  metering::PerBoundary<double> mean_watts{}, joules_per_output_token{};
  double output_tokens_per_s = 0;
  std::optional<double> per_million_input,
      per_million_output;  ///< of the total, split by attributed joules of prompt and generated tokens (Result::cost)
  std::optional<CostRate> cost;
  std::optional<double> carbon_grams_per_s;                          ///< of energy
  std::optional<double> embodied_grams, embodied_grams_per_s;        ///< of making the GPUs; a second where a life is stated
  std::map<std::string, double> energy_coverage, time_coverage;      ///< provenance -> share
  std::optional<metering::PerBoundary<double>> relative_half_width;  ///< 80 %, of energy, from the profiles' errors
};

/// Seconds of a month: a twelfth of 365 days, as the unit "month" has it.
inline constexpr double kMonth = 365.0 * 86400 / 12;

FleetFigures figures_of_fleet(const scenario::Scenario& scenario, const scenario::Result& result, std::optional<Grams> embodied_of_a_gpu,
                              std::optional<Seconds> life);

/// The worst provenance that carries at least a twentieth: "measured", "calibrated" or "modelled".
std::string worst_provenance(const std::map<std::string, double>& coverage);

}  // namespace joulecast::study
