#pragma once

#include <fmt/format.h>

#include "cli/console.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::cli {

/// Says so where so few draws were asked for that intervals and shares are rough.
inline void warn_of_few_draws(int draws, Console& console) {
  if (draws == 0 || static_cast<std::size_t>(draws) >= study::kFewDraws) return;
  console.message(fmt::format("--uncertainty {}: of fewer than {} draws the ends of intervals are rough, and they do not tell where these come from",
                              draws, study::kFewDraws));
}

}  // namespace joulecast::cli
