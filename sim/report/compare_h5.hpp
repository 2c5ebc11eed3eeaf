#pragma once

#include <filesystem>

#include "study/compare.hpp"

namespace joulecast::report {

/// results.h5 of a comparison: `figure/KEY` over arm and replication, with `arm` (names) and `replication` (numbers) as dimension scales and `seed` over the
/// replications; where traces are resampled `once/KEY` over the arms, on the traces as they are; where errors of profiles were drawn
/// `profile_error/KEY` over arm and `profile_error/draw`. What is not known is NaN. Byte-identical for equal
/// comparisons. Throws UserError where the file can't be written.
void write_compare_h5(const study::Comparison& comparison, const std::filesystem::path& path);

}  // namespace joulecast::report
