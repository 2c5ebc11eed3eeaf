#include "study/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace joulecast::study {

namespace {

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

std::vector<bool> pareto_front(const std::vector<std::vector<double>>& points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool known = std::all_of(points[i].begin(), points[i].end(), [](double value) { return std::isfinite(value); });
    if (known && !points[i].empty()) order.push_back(i);
  }
  // What dominates a point comes before it in this order, and is dominated by one of the front itself if at all.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  std::vector<std::size_t> front;
  std::vector<bool> on(points.size(), false);
  for (const std::size_t i : order) {
    if (std::any_of(front.begin(), front.end(), [&](std::size_t f) { return dominates(points[f], points[i]); })) continue;
    front.push_back(i);
    on[i] = true;
  }
  return on;
}

}  // namespace joulecast::study
