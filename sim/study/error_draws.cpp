#include "study/error_draws.hpp"

#include <fmt/format.h>

#include "base/philox.hpp"

namespace joulecast::study {

namespace {
constexpr std::uint64_t kSeeds = 9'000'000'000'000'000;  // what a scenario's seed may be
}

std::vector<double> drawn_normals(std::uint64_t seed, std::span<const scenario::ErrorSource> sources, std::size_t draw) {
  std::vector<double> normals;
  for (const scenario::ErrorSource& source : sources) {
    Stream random(seed, "uncertainty/" + source.name, fmt::format("draw {}", draw));
    normals.push_back(random.normal());
  }
  return normals;
}

std::uint64_t drawn_seed(std::uint64_t seed, std::size_t draw) {
  Stream random(seed, "uncertainty", fmt::format("seed {}", draw));
  return random.below(kSeeds);
}

}  // namespace joulecast::study
