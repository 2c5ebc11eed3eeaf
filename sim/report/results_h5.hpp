#pragma once

#include <filesystem>

#include "scenario/result.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// Writes results.h5, the same bytes for equal results (HDF5 1.8 format, no object times):
///   /bin_start           float64[bin], s: when each bin begins; the dimension scale of every series
///   /power/BOUNDARY      float32[bin], W: mean watts of all devices in a bin
///   /pool/NAME/state/STATE  float32[bin], W: mean GPU watts of a pool in a state
/// Root attributes: schema, name, seed, horizon_s, bin_s, warmup_s, partial; pools: gpus. Series are chunked, shuffled and deflated.
/// Throws UserError where the file cannot be written.
/// With `known`, the group /uncertainty too (uncertainty_h5.hpp).
void write_results_h5(const scenario::Result& result, const std::filesystem::path& path, const study::Uncertainty* known = nullptr);

}  // namespace joulecast::report
