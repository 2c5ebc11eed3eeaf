#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fit/covariance.hpp"
#include "scenario/error_sources.hpp"
#include "scenario/result.hpp"
#include "study/headline_figures.hpp"
#include "study/prediction_interval.hpp"
#include "study/variance_shares.hpp"

namespace joulecast::study {

/// Below this number of draws the ends of intervals are rough, and no shares are taken.
inline constexpr std::size_t kFewDraws = 30;
/// An interrupted study counts from this number of draws on.
inline constexpr std::size_t kLeastDraws = 10;

/// One run with other errors and another seed.
struct ErrorDraw {
  std::size_t number = 0;
  std::uint64_t seed = 0;
  std::vector<double> normals;  ///< by source
  std::vector<double> values;   ///< by figure; NaN where the run has no such figure
};

/// What is known of one headline figure.
struct UncertainFigure {
  HeadlineFigure figure;
  double stated = 0;                      ///< of the run with the profiles as stated
  std::optional<fit::Interval> interval;  ///< 80 %; absent where some draw has no such figure
  std::optional<VarianceShares> shares;   ///< likewise, of `kFewDraws` or more
};

/// How sure a run's figures are, by drawing the errors of its profiles and its seed.
struct Uncertainty {
  std::uint64_t seed = 0;  ///< of the scenario: the draws come from it
  std::size_t asked = 0;   ///< draws
  bool partial = false;    ///< interrupted: fewer were done
  std::vector<scenario::ErrorSource> sources;
  std::vector<ErrorDraw> draws;          ///< in the order of their numbers
  std::vector<UncertainFigure> figures;  ///< of the run as stated

  /// By its path's key; null where the run has none such.
  const UncertainFigure* find(const std::string& key) const;
};

struct UncertaintyOptions {
  std::size_t draws = 0;  ///< 2 or more
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::size_t done, std::size_t all)> progress;  ///< called from any thread, one call at a time
};

/// Draws errors of every source and a seed, runs each draw on one thread and several at once, and takes intervals and shares from them. `stated` is the result
/// of `scenario` as it stands, whose figures keep being the run's. The same for any number of threads. nullopt where it was stopped before `kLeastDraws` were
/// done. Throws UserError as simulate does.
std::optional<Uncertainty> uncertainty(const scenario::Scenario& scenario, const scenario::Result& stated, const UncertaintyOptions& options);

}  // namespace joulecast::study
