#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/gpu.hpp"

namespace joulecast::hardware {

/// How much of a GPU profile rests on measurements of that GPU.
enum class Tier : std::uint8_t {
  calibrated,      ///< times and class watts were fitted to measurements of it
  watts_modelled,  ///< its times were measured, its class watts are scaled from another GPU
  datasheet        ///< both are scaled from another GPU by the ratings of the two
};

constexpr std::string_view name(Tier tier) {
  constexpr std::string_view names[] = {"calibrated", "watts modelled", "datasheet"};
  return names[static_cast<int>(tier)];
}

/// The tier of GEMM's times and watts, which carry most of a step.
Tier tier(const GpuProfile& gpu);

/// One sentence for a person who is about to believe a run on this GPU; "" for a calibrated profile.
std::string warning(const GpuProfile& gpu);

}  // namespace joulecast::hardware
