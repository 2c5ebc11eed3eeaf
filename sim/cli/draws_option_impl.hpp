#pragma once

#include <string>

#include "cli/options_impl.hpp"

// --uncertainty, which several commands take; it shows CLI11, so only the files that declare options include it.
namespace joulecast::cli::detail {

inline constexpr int kMostDraws = 100'000;

/// The number of draws of --uncertainty; 0 where it was not given.
inline int draws_of(const std::string& text) {
  if (text.empty()) return 0;
  try {
    return whole_number<int>("--uncertainty", text, 2, kMostDraws);
  } catch (const UserError&) {
    usage_error(fmt::format("--uncertainty \"{}\" is no whole number from 2 to {}", text, kMostDraws),
                "100 draws know the ends of an 80 % interval well, 30 roughly: --uncertainty 100");
  }
}

}  // namespace joulecast::cli::detail
