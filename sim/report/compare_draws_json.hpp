#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "study/compare.hpp"

namespace joulecast::report {

/// `uncertainty` of compare.json: draws, seed, method, and the sources with their shares of each difference's variance, by arm and figure (from a hundredth on).
nlohmann::ordered_json compare_draws_json(const study::Comparison& comparison);

/// `profile_error` of an arm: 80 % intervals of its levels and of its differences to the reference, apart from those of replications.
nlohmann::ordered_json drawn_arm_json(const study::Comparison& comparison, std::size_t arm);

/// The cells of compare.csv that follow a row's others, and their headings; each begins with a comma.
std::string drawn_headings();
std::string drawn_cells(const study::Comparison& comparison, std::size_t arm, std::size_t figure);

}  // namespace joulecast::report
