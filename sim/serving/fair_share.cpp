#include "serving/fair_share.hpp"

#include <limits>

#include "base/error.hpp"

namespace joulecast::serving {

std::vector<double> fair_share(std::span<const double> capacities, std::span<const std::span<const std::size_t>> flows) {
  std::vector<double> left(capacities.begin(), capacities.end());
  std::vector<std::size_t> growing(capacities.size(), 0);
  for (const auto& links : flows) {
    JOULECAST_CHECK(!links.empty(), "a flow over no link");
    for (const std::size_t link : links) ++growing[link];
  }
  constexpr double kGrows = -1;
  std::vector<double> rates(flows.size(), kGrows);
  for (std::size_t fixed = 0; fixed < flows.size();) {
    std::size_t fullest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < left.size(); ++link) {
      if (growing[link] == 0) continue;
      const double share = left[link] / static_cast<double>(growing[link]);
      if (share >= least) continue;
      least = share;
      fullest = link;
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (rates[i] != kGrows) continue;
      bool on_it = false;
      for (const std::size_t link : flows[i]) on_it = on_it || link == fullest;
      if (!on_it) continue;
      rates[i] = least;
      ++fixed;
      for (const std::size_t link : flows[i]) {
        left[link] -= least;
        --growing[link];
      }
    }
  }
  return rates;
}

}  // namespace joulecast::serving
