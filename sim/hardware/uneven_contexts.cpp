#include "hardware/uneven_contexts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "hardware/layer_rows.hpp"

namespace joulecast::hardware {

namespace {

/// The shares of long sequences that the published profiles are taken at.
constexpr std::array kShares{0.0625, 0.125, 0.25, 0.5, 0.75, 0.9};
constexpr double kLeastShare = 0.06;

std::size_t nearest_share(double share) {
  const auto closer = [share](double a, double b) { return std::abs(a - share) < std::abs(b - share); };
  return static_cast<std::size_t>(std::min_element(kShares.begin(), kShares.end(), closer) - kShares.begin());
}

double at_share(const UnevenContexts::Row& row, double share) {
  if (share <= row.front().first) return row.front().second;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const auto& [x0, y0] = row[i - 1];
    const auto& [x1, y1] = row[i];
    if (share < x1) return y0 + (y1 - y0) * ((share - x0) / (x1 - x0));
  }
  return row.back().second;
}

}  // namespace

UnevenContexts UnevenContexts::fitted(const std::vector<Sample>& samples) {
  struct Sums {
    double product = 0, square = 0;
  };
  std::array<std::map<double, std::array<Sums, kShares.size()>>, 2> sums;
  for (const Sample& sample : samples) {
    if (sample.share < kLeastShare || sample.sequences < 2) continue;
    const double longer = sample.at_longest / sample.at_mean - 1, measured = sample.uneven / sample.at_mean - 1;
    Sums& cell = sums[sample.mixed ? 1 : 0][sample.sequences][nearest_share(sample.share)];
    cell.product += longer * measured;
    cell.square += longer * longer;
  }
  std::array<Rows, 2> rows;
  for (std::size_t mixed = 0; mixed < 2; ++mixed) {
    for (const auto& [sequences, cells] : sums[mixed]) {
      Row row;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].square > 0) row.emplace_back(kShares[i], std::clamp(cells[i].product / cells[i].square, 0.0, 1.0));
      }
      if (!row.empty()) rows[mixed].emplace(sequences, std::move(row));
    }
  }
  return {std::move(rows[0]), std::move(rows[1])};
}

double UnevenContexts::alpha(bool beside_chunk, double sequences, double share) const {
  const Rows& rows = beside_chunk ? beside_chunk_ : alone_;
  if (rows.empty() || sequences <= 1 || share <= 0) return 0;
  const auto above = rows.lower_bound(sequences);
  if (above == rows.begin()) return at_share(above->second, share);
  const auto below = std::prev(above);
  if (above == rows.end()) return at_share(below->second, share);
  const double from = at_share(below->second, share), to = at_share(above->second, share);
  return from + (to - from) * (std::log(sequences / below->first) / std::log(above->first / below->first));
}

UnevenContexts read_uneven_contexts(const std::string& path) {
  std::vector<UnevenContexts::Sample> samples;
  LayerRows rows(path, {"n", "ratio", "pc", "t_mean_us", "t_max_us", "t_skew_us"});
  while (rows.next()) {
    samples.push_back({rows.number(2) > 0, rows.number(0), rows.number(1), rows.seconds(3), rows.seconds(4), rows.seconds(5)});
  }
  return UnevenContexts::fitted(samples);
}

}  // namespace joulecast::hardware
