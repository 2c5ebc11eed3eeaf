#pragma once

#include <string>

#include "study/sweep.hpp"

namespace joulecast::report {

/// sweep.json: `dimension` (name, keys, unit and values, SI where they are numbers), `objectives`, `figure` (unit and better direction by key), `point` in
/// row-major order of the dimensions (coordinates, settings, values, on_front, slo_held, failure), `best` by objective. What is not known is left out.
std::string sweep_json(const study::Sweep& sweep);

/// sweep.csv: a line a point; a column a key (numbers in SI), then whether it is on the front, holds every SLO and why it failed, every figure, and the words
/// of `--set` that lead there. What is not known is empty.
std::string sweep_csv(const study::Sweep& sweep);

}  // namespace joulecast::report
