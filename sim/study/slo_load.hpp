#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/result.hpp"
#include "scenario/scenario.hpp"
#include "study/load_search.hpp"

namespace joulecast::study {

/// The scenario with `scale` times the load of every traffic: of generated arrivals the request rate, of a closed loop the concurrency (a whole number, at
/// least 1), of a trace its rate, by what the traffic says or else by superposing. Superposed copies are nested: a greater load has the requests of a
/// smaller one and more.
scenario::Scenario with_load(scenario::Scenario scenario, double scale);

/// Between which factors the load can be scaled.
LoadBounds load_bounds(const scenario::Scenario& scenario);

/// A traffic's requests against its SLO, after the warm-up. Beside the completed ones, those count that broke a limit and were still under way when the run
/// ended: an engine that drowns does not look well for what it did not come to.
struct Attainment {
  std::string traffic;
  double share = 0;  ///< within, of those judged; 0 where there is none
  double required = 0;
  std::uint64_t judged = 0;
};

/// Of every traffic with an SLO; the result kept its requests.
std::vector<Attainment> attainments(const scenario::Scenario& scenario, const scenario::Result& result);
/// The least margin of them; a traffic of which no request was judged holds nothing.
Judgement judgement(const std::vector<Attainment>& attainments);

/// Mean rate at which requests arrived: over the duration, or else until the last one came.
double requests_per_second(const scenario::Scenario& scenario, const scenario::Result& result);

}  // namespace joulecast::study
