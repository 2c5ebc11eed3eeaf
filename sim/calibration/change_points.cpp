#include "calibration/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {
namespace {

/// Sums up to each value, so that a segment's cost takes one step.
class Costs {
 public:
  Costs(std::span<const double> values, double noise) : variance_(noise * noise) {
    const double centre = fit::quantile({values.begin(), values.end()}, 0.5);
    sums_.push_back(0);
    squares_.push_back(0);
    for (const double value : values) {
      sums_.push_back(sums_.back() + (value - centre));
      squares_.push_back(squares_.back() + (value - centre) * (value - centre));
    }
  }

  double operator()(std::size_t begin, std::size_t end) const {
    const double sum = sums_[end] - sums_[begin];
    return std::max(0.0, squares_[end] - squares_[begin] - sum * sum / static_cast<double>(end - begin)) / variance_;
  }

 private:
  std::vector<double> sums_, squares_;
  double variance_;
};

double noise_of(std::span<const double> values, double least) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1]));
  if (steps.empty()) return least;
  // The difference of two normal values has sqrt(2) of their deviation; the median of its size is 0.6745 of its own.
  return std::max(least, fit::quantile(std::move(steps), 0.5) / (0.6745 * std::sqrt(2.0)));
}

std::vector<std::size_t> pelt(const Costs& cost, std::size_t n, std::size_t least, double penalty) {
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> last(n + 1, 0);
  // A candidate that is beaten by a start at `end` stays until that start is far enough back to be one.
  struct Candidate {
    std::size_t begin, dead;
  };
  std::vector<Candidate> candidates = {{0, n + 1}};
  best[0] = -penalty;
  for (std::size_t end = least; end <= n; ++end) {
    if (end >= 2 * least) candidates.push_back({end - least, n + 1});
    std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.dead <= end; });
    for (const Candidate& candidate : candidates) {
      const double total = best[candidate.begin] + cost(candidate.begin, end) + penalty;
      if (total < best[end]) {
        best[end] = total;
        last[end] = candidate.begin;
      }
    }
    for (Candidate& candidate : candidates) {
      if (best[candidate.begin] + cost(candidate.begin, end) > best[end]) candidate.dead = std::min(candidate.dead, end + least);
    }
  }
  std::vector<std::size_t> ends;
  for (std::size_t at = n; at > 0; at = last[at]) ends.push_back(at);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

double mean_of(std::span<const double> values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += values[i];
  return sum / static_cast<double>(end - begin);
}

}  // namespace

std::vector<MeanSegment> change_points(std::span<const double> values, double least_noise, std::size_t least, double same) {
  JOULECAST_CHECK(least_noise > 0 && least >= 1, "change points without a noise or a length");
  if (values.empty()) return {};
  const double penalty = 4 * std::log(static_cast<double>(std::max<std::size_t>(2, values.size())));
  std::vector<MeanSegment> segments;
  std::size_t begin = 0;
  const std::vector<std::size_t> ends = values.size() < 2 * least ? std::vector<std::size_t>{values.size()}
                                                                  : pelt(Costs(values, noise_of(values, least_noise)), values.size(), least, penalty);
  for (const std::size_t end : ends) {
    const double mean = mean_of(values, begin, end);
    if (!segments.empty() && std::abs(segments.back().mean - mean) <= same) {
      segments.back().end = end;
      segments.back().mean = mean_of(values, segments.back().begin, end);
    } else {
      segments.push_back({begin, end, mean});
    }
    begin = end;
  }
  return segments;
}

}  // namespace joulecast::calibration
