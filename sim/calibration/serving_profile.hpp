#pragma once

#include <cstddef>
#include <string>

#include "calibration/fit_serving.hpp"
#include "fit/held_out.hpp"
#include "hardware/gpu.hpp"

namespace joulecast::calibration {

/// Errors of joules a token, of a mean step and of watts, of rows that a fit without their model predicted.
struct UnseenErrors {
  std::size_t rows = 0;
  fit::RelativeErrors joules, seconds, watts;
};

/// What a profile of serving runs is written from.
struct ServingProfile {
  std::string name;                            ///< of the GPU
  const hardware::GpuProfile* base = nullptr;  ///< extended: keeps every other figure
  std::string source;                          ///< files and rows in words
  ServingFit fit;
  UnseenErrors dense, mixtures;  ///< rows = 0 where none was predicted
};

/// The partial profile as TOML: `extends` the base; class watts, host cost, a shared host where rows had one, mixture costs where rows had experts, and
/// the error of joules a token. A figure's error is the p80 of the seconds' or the watts' errors of unseen models, at least 5 %, and 50 % where no model
/// could be left out.
std::string serving_profile(const ServingProfile& request);

}  // namespace joulecast::calibration
