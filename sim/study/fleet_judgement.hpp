#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/result.hpp"
#include "scenario/scenario.hpp"
#include "study/load_search.hpp"

namespace joulecast::study {

/// A limit of an SLO, and the value of it, all others as they are, at which the same run would just hold.
struct SloLimit {
  std::string name;             ///< "ttft", "tpot", "e2e"
  double limit_s = 0;           ///< as the scenario says
  std::optional<double> holds;  ///< the tightest that would hold, seconds; absent where none would: too many miss another limit or never finish
  std::uint64_t misses = 0;     ///< requests above the limit
};

/// A traffic of one run against its SLO with a confidence.
struct TailJudgement {
  std::string traffic;
  std::uint64_t judged = 0, misses = 0;
  std::int64_t allowed = 0;  ///< misses at which the tail is still within the SLO with the confidence (most_misses)
  double share = 0, required = 0;
  std::vector<SloLimit> limits;  ///< those that the SLO states

  bool held() const { return judged > 0 && allowed >= 0 && static_cast<std::int64_t>(misses) <= allowed; }
  /// Of the judged requests, those that may miss less those that did.
  double margin() const;
  /// The limit that most requests break; "" where none is broken.
  std::string worst() const;
};

/// Every traffic with an SLO, after the warm-up; requests under way at the end count where they broke a limit. The result kept its requests.
std::vector<TailJudgement> judge_tails(const scenario::Scenario& scenario, const scenario::Result& result, double confidence);
/// The least margin of them.
Judgement judgement(const std::vector<TailJudgement>& tails);

}  // namespace joulecast::study
