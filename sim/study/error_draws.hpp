#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenario/error_sources.hpp"

namespace joulecast::study {

/// The standard normal number of each source in a draw. A source's numbers depend on seed, its name and the number of the draw alone: further draws and
/// further sources leave them.
std::vector<double> drawn_normals(std::uint64_t seed, std::span<const scenario::ErrorSource> sources, std::size_t draw);

/// The seed that a draw's requests come from.
std::uint64_t drawn_seed(std::uint64_t seed, std::size_t draw);

}  // namespace joulecast::study
