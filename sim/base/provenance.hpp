#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace joulecast {

/// Where a figure comes from, best first. A product has the worst of its factors.
enum class Provenance : std::uint8_t { measured, calibrated, modelled };
inline constexpr int kProvenances = 3;

constexpr Provenance worst(Provenance a, Provenance b) { return std::max(a, b); }

constexpr std::string_view name(Provenance p) {
  constexpr std::string_view names[] = {"measured", "calibrated", "modelled"};
  return names[static_cast<int>(p)];
}

}  // namespace joulecast
