#pragma once

#include <filesystem>
#include <vector>

#include "report/iteration.hpp"
#include "scenario/result.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// Writes results.h5, the same bytes for equal results (HDF5 1.8 format, no object times):
///   /bin_start           float64[bin], s: when each bin begins; the dimension scale of every series
///   /power/BOUNDARY      float32[bin], W: mean watts of all devices in a bin
///   /pool/NAME/state/STATE  float32[bin], W: mean GPU watts of a pool in a state
///   /interval_start      float64[interval], s: when each of the intervals begins that requests are counted in
///   /pool/NAME/{running,context_tokens,output_tokens_per_s}, /traffic/NAME/{arrivals_per_s,waiting}  float32[interval]: means of the interval
///   /share               float64[share], 1: shares of the requests, 0 to 1
///   /traffic/NAME/{ttft_s,tpot_s,e2e_s}  float64[share], s: that share of the requests took no longer; attribute slo_limit_s where the SLO has one
///   /job/NAME/iteration/{lane,start_s,duration_s,clock_hz,joules,kind}  [operation]: one iteration of a training job; kind indexes the attribute kinds
/// Root attributes: schema, name, seed, horizon_s, bin_s, warmup_s, partial; pools: gpus. Series are chunked, shuffled and deflated.
/// Throws UserError where the file cannot be written.
/// With `known`, the group /uncertainty too (uncertainty_h5.hpp).
void write_results_h5(const scenario::Result& result, const std::filesystem::path& path, const study::Uncertainty* known = nullptr,
                      const std::vector<Iteration>& iterations = {});

}  // namespace joulecast::report
