#pragma once

#include <string_view>

#include "study/figures.hpp"

namespace joulecast::study {

/// "lower", "higher", "neither".
std::string_view name(Figure::Better better);

}  // namespace joulecast::study
