#pragma once

#include <cstdint>

namespace joulecast::training {

/// A count of tokens, heads or bytes as a number to multiply with.
inline double real(std::int64_t count) { return static_cast<double>(count); }

}  // namespace joulecast::training
