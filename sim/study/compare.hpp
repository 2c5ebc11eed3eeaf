#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenario/load_arms.hpp"
#include "study/compare_draws.hpp"
#include "study/figures.hpp"
#include "study/load_search.hpp"
#include "study/paired.hpp"
#include "study/replications.hpp"
#include "study/slo_load.hpp"

namespace joulecast::study {

/// The load of an arm at which its SLO just holds.
struct LoadAtSlo {
  FoundLoad found;
  double requests_per_s = 0;            ///< at the found load
  std::vector<Attainment> attainments;  ///< at the found load, or at the least that was tried
};

/// One run of one arm.
struct ArmRun {
  std::vector<double> values;     ///< by figure of the comparison; NaN where it is not known
  std::uint64_t requests = 0;     ///< a hash of when they came and how long they were
  std::optional<LoadAtSlo> load;  ///< with hold = "slo"
  bool held() const { return !load || load->found.load.has_value(); }
};

struct ComparedArm {
  std::string name;
  scenario::Scenario scenario;             ///< of the run that stands for the whole, at its load
  std::optional<scenario::Result> result;  ///< of that run, without its requests; absent where the SLO does not hold at any load
  ArmRun once;
  std::vector<ArmRun> runs;                            ///< by replication
  std::vector<std::optional<Estimate>> values;         ///< by figure: the arm's own
  std::vector<std::optional<Difference>> differences;  ///< by figure, to the reference

  std::size_t not_held() const;  ///< in how many of `runs` no load holds the SLO: without them all the arm's figures are not known
  bool held() const { return once.held() && not_held() == 0; }
};

struct Comparison {
  std::string name;
  std::uint64_t seed = 0;
  scenario::CompareTable settings;
  Spread spread = Spread::none;
  double confidence = 0.95;
  std::vector<Replication> replications;  ///< those that `runs` hold
  std::vector<Figure> figures;
  std::vector<ComparedArm> arms;
  std::size_t reference = 0;
  bool same_requests = true;          ///< in each replication, all arms got the same requests
  bool partial = false;               ///< interrupted: replications that were not done in all arms are left out
  std::optional<CompareDraws> drawn;  ///< where draws of profiles' errors were asked for (draw_arms)
  std::vector<scenario::Input> inputs;
};

struct CompareOptions {
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::size_t done, std::size_t all)> progress;  ///< called from any thread, one call at a time
};

/// What a comparison is made of: the resolved scenario of every arm, the settings, the content of every input. 16 hexadecimal digits.
std::string comparison_hash(const scenario::Arms& arms);

/// Runs every arm in every replication, each run on one thread and several at once; the result is the same for any number of threads. nullopt where it was
/// stopped before each arm had run once. Throws UserError for what can't be compared.
std::optional<Comparison> compare(const scenario::Arms& arms, const CompareOptions& options);

}  // namespace joulecast::study
