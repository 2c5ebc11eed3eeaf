#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fit/covariance.hpp"
#include "scenario/error_sources.hpp"
#include "scenario/load_arms.hpp"
#include "study/paired.hpp"
#include "study/variance_shares.hpp"

namespace joulecast::study {

struct Comparison;
struct CompareOptions;

/// What draws of profiles' errors say of an arm's figure less the reference's, both with the same errors.
struct DrawnDifference {
  fit::Interval absolute;                 ///< 80 %
  std::optional<fit::Interval> relative;  ///< of the differences over the reference's figure, draw by draw; absent where that is 0 in one
  Verdict verdict = Verdict::untested;    ///< within_noise: the interval holds 0, so the errors could turn the sign
  double lower_in = 0;                    ///< share of the draws in which the arm's figure is the lower one
  std::optional<VarianceShares> shares;   ///< of the difference's variance, by source of CompareDraws; of `kFewDraws` draws or more
};

struct DrawnArm {
  std::vector<std::vector<double>> values;                  ///< by figure and draw; NaN where a run has no such figure
  std::vector<std::optional<fit::Interval>> levels;         ///< by figure: 80 %; absent where some draw has no such figure
  std::vector<std::optional<DrawnDifference>> differences;  ///< by figure, to the reference
};

/// How sure a comparison is of its levels and of its differences, as far as the errors of profiles go: the same draws in all arms, with the comparison's own
/// seed, so that what the arms share cancels in differences and no draw of requests is mixed in. What the requests leave in doubt is told by replications.
struct CompareDraws {
  std::size_t asked = 0;
  bool partial = false;                        ///< interrupted: fewer were done in all arms
  std::vector<std::size_t> numbers;            ///< of the draws
  std::vector<scenario::ErrorSource> sources;  ///< of all arms, each once
  std::vector<std::vector<double>> normals;    ///< by draw and source
  std::vector<DrawnArm> arms;
};

/// Draws the errors `draws` times (2 or more) in the arms of a comparison that was made of them. nullopt where it was stopped before `kLeastDraws` were done, or
/// where no load holds some arm's SLO. Throws UserError as compare does.
std::optional<CompareDraws> draw_arms(const scenario::Arms& arms, const Comparison& comparison, std::size_t draws, const CompareOptions& options);

}  // namespace joulecast::study
