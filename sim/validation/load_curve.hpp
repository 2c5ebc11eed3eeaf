#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// What a replica of Llama-3.1-70B on four H100 SXM draws at a load, with Poisson arrivals and the lengths of Azure's conversations of 2023.
struct LoadPoint {
  double load = 0;  ///< arrival rate over the highest that is sustained
  double requests_per_s = 0;
  double gpu_watts = 0;   ///< of the replica, mean over the run
  double busy = 0;        ///< share of the time with a step running
  double mean_e2e_s = 0;  ///< from a request's arrival to its last token
  double idle_watts = 0;  ///< while no step runs
  double batch = 0;       ///< sequences a step
};

/// The highest rate that is sustained, requests/s: what begins to run while far more come.
double sustained_rate(const std::string& share);
LoadPoint load_point(const std::string& share, double load, double sustained_requests_per_s);

/// The shape of power against load: P(10 %) and P(25 %) over P(95 %), idle, and the share of busy time at small loads beside 1 - exp(-lambda * E[S]),
/// the busy probability of a server with as many places as requests (M/G/infinity). Needs no data.
std::vector<Comparison> load_curve();

}  // namespace joulecast::validation
