#include "study/tail.hpp"

#include <cmath>

namespace joulecast::study {

std::int64_t most_misses(std::uint64_t count, double share, double confidence) {
  if (share >= 1) return 0;
  const double n = static_cast<double>(count), log_share = std::log(share), log_odds = std::log1p(-share) - log_share;
  double log_term = n * log_share, log_choose = 0, sum = 0;
  std::int64_t k = -1;
  for (std::uint64_t next = 0; next <= count; ++next) {
    if (next > 0) log_choose += std::log((n - static_cast<double>(next) + 1) / static_cast<double>(next));
    log_term = n * log_share + log_choose + static_cast<double>(next) * log_odds;
    sum += std::exp(log_term);
    if (sum > 1 - confidence) break;
    k = static_cast<std::int64_t>(next);
  }
  return k;
}

std::uint64_t least_requests(double share, double confidence) {
  if (share >= 1) return 1;
  // Rounded up, less what rounding may have added to a whole number.
  return static_cast<std::uint64_t>(std::ceil(std::log1p(-confidence) / std::log(share) - 1e-9));
}

}  // namespace joulecast::study
