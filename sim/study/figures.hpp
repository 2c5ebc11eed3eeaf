#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metering/ledger.hpp"
#include "scenario/result.hpp"

namespace joulecast::study {

/// A figure of a run that arms are compared by.
struct Figure {
  enum class Better : std::uint8_t { lower, higher, neither };
  std::string key;   ///< as summary.json has it, with dots: "traffic.chat.ttft_s.p99"
  std::string unit;  ///< SI; "1" for shares and counts, a currency's code for money
  Better better = Better::lower;
};

struct FigureValue {
  Figure figure;
  double value = 0;
};

/// The figures of a result at one boundary: energy, a token and a request of it, mean and peak power, cost, carbon; of each traffic latencies,
/// attainment, accuracy and counts; of each job time and joules an iteration. What is not known is left out.
std::vector<FigureValue> figures_of(const scenario::Result& result, metering::Boundary boundary);

}  // namespace joulecast::study
