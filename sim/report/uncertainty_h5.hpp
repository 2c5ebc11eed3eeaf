#pragma once

#include "report/hdf5_objects.hpp"
#include "study/uncertainty.hpp"

namespace joulecast::report {

/// Writes the group /uncertainty of results.h5: the dimension scale `draw`, and on it `seed`, `factor/NAME` of each source and `figure/KEY` of each headline
/// figure (NaN where a draw has none), with units. A slash in a name becomes an underscore.
void write_uncertainty(hid_t file, const study::Uncertainty& known);

}  // namespace joulecast::report
