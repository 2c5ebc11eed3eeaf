#include "engine/fingerprints.hpp"

#include <algorithm>

namespace joulecast::engine {

std::optional<Difference> compare(const std::vector<Fingerprint>& a, const std::vector<Fingerprint>& b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (left == a.end() && right == b.end()) return std::nullopt;
  const Fingerprint& first = left == a.end() ? *right : *left;
  return Difference{first.time, first.entity};
}

}  // namespace joulecast::engine
