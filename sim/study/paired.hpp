#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace joulecast::study {

/// What the replications of a comparison stand for.
enum class Spread : std::uint8_t {
  none,   ///< one run an arm: no interval
  draws,  ///< each replication draws new requests (and whatever else is random) from the same law
  blocks  ///< each replication resamples the one trace that there is
};

/// An estimate with its interval; the interval is absent where it is not known.
struct Estimate {
  double value = 0;
  std::optional<double> low, high;
};

/// What the difference between an arm and the reference amounts to.
enum class Verdict : std::uint8_t {
  same,          ///< exactly 0
  within_noise,  ///< the interval holds 0
  lower,
  higher,
  untested  ///< no interval
};
const char* name(Verdict verdict);

/// An arm's figure less the reference's, both from the same replications.
struct Difference {
  Estimate absolute;
  std::optional<Estimate> relative;  ///< the same over the reference's figure (its mean, where the estimate is one); absent where that is 0
  Verdict verdict = Verdict::untested;
};

/// Paired differences of `arm` and `reference`, replication by replication; `arm_once` and `reference_once` are of the run that stands for the whole.
///
/// draws: the mean of the differences d_1 .. d_n, -+ t(n - 1) s / sqrt(n): Student's interval of the mean that further draws would come to.
/// blocks: the difference of the runs on the trace itself, -+ t(n - 1) s: the bootstrap's standard interval (Efron and Tibshirani, "An Introduction to the
/// Bootstrap", 1993, section 12.2, equation 12.5, with Student's t in place of z as n is small). Here s is the standard error itself: more replications make
/// it better known, not smaller. In both s is the standard deviation of the d_i.
Difference paired(std::span<const double> arm, std::span<const double> reference, double arm_once, double reference_once, Spread spread,
                  double confidence);

/// The same for one arm's figure by itself.
Estimate estimate(std::span<const double> values, double once, Spread spread, double confidence);

}  // namespace joulecast::study
