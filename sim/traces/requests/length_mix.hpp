#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/philox.hpp"
#include "traces/requests/length_histogram.hpp"

namespace joulecast::traces {

/// Tokens in and out drawn from one of several histograms, each with its share of the requests.
class LengthMix {
 public:
  LengthMix(LengthHistogram only);  // NOLINT: a histogram is a mix of itself
  /// Shares above 0 that add up to 1 (checked to 1e-9).
  explicit LengthMix(std::vector<std::pair<double, LengthHistogram>> parts);

  /// A histogram by its share, then tokens from it; from the only one, tokens alone.
  std::pair<std::int32_t, std::int32_t> draw(Stream& stream) const;

  double mean_input() const;
  double mean_output() const;
  std::int32_t most_input() const;
  std::int32_t most_output() const;

 private:
  std::vector<std::pair<double, LengthHistogram>> parts_;
};

}  // namespace joulecast::traces
