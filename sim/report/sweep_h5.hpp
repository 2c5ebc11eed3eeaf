#pragma once

#include <filesystem>

#include "study/sweep.hpp"

namespace joulecast::report {

/// results.h5 of a sweep: `figure/KEY` over all dimensions, each named after its keys, with a dimension scale of that name: numbers in SI with `units`, or
/// words. A dimension of several keys has words as its scale and a data set a key beside it. `on_front` and `slo_held` (1, 0, -1 where there is none) as
/// integers, `failure` and `settings` as words over all dimensions. What is not known is NaN. A "/" in a name is written "|". Byte-identical for equal
/// sweeps; xarray opens it. Throws UserError where the file can't be written.
void write_sweep_h5(const study::Sweep& sweep, const std::filesystem::path& path);

}  // namespace joulecast::report
