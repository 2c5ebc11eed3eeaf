#pragma once

#include <string>
#include <vector>

#include "scenario/result.hpp"

namespace joulecast::study {

/// A headline figure of summary.json, with the way to it.
struct HeadlineFigure {
  std::vector<std::string> path;  ///< {"traffic", "chat", "ttft_s", "p99"}
  std::string unit;               ///< SI; "1" for shares and counts, a currency's code for money

  std::string key() const;  ///< with dots
  friend bool operator==(const HeadlineFigure&, const HeadlineFigure&) = default;
};

struct HeadlineValue {
  HeadlineFigure figure;
  double value = 0;
};

/// Of a run: energy, power, a token and a request of it at all boundaries; cost and carbon; of each feed what it carried; of each traffic throughput,
/// attainment and latencies; of each job time and joules an iteration. In the order of summary.json; what is not known is left out.
std::vector<HeadlineValue> headline_figures(const scenario::Result& result);

}  // namespace joulecast::study
