#pragma once

#include <cstdint>

namespace joulecast::study {

/// What a sample can say of a tail. Of n independent requests the number that miss a limit, where a share 1 - p of all would, follows the binomial law; so the
/// p-quantile is within the limit with a confidence of at least `confidence` where at most k miss, k the greatest with P(Bin(n, 1 - p) <= k) <= 1 - confidence:
/// the distribution-free bound of a quantile by order statistics (Wilks, Ann. Math. Stat. 12 (1941) 91; David and Nagaraja, Order Statistics, 3rd ed., 7.1).
/// Requests that miss come together, so the true doubt is larger.
///
/// The most of `count` requests that may miss; -1 where not even none would do. 0 < share < 1, 0 < confidence < 1; at share = 1 nothing may miss: 0.
std::int64_t most_misses(std::uint64_t count, double share, double confidence);

/// The least number of requests of which none missing is enough: ln(1 - confidence) / ln(share), rounded up. 1 at share = 1.
std::uint64_t least_requests(double share, double confidence);

}  // namespace joulecast::study
