#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace joulecast::policy {

/// One way to do a thing: what it weighs (here seconds) and what it costs (joules).
struct Choice {
  double weight = 0, cost = 0;
};

struct ChoiceSolution {
  std::vector<std::size_t> chosen;  ///< by item, position in its choices
  double weight = 0, cost = 0;
  double bound = 0;  ///< of the linear relaxation: no selection within the budget costs less
};

/// The multiple-choice knapsack: one choice of each item, sum of weights at most `budget` (exceeded by no more than 1e-12 of it, for rounding), least
/// sum of costs. Exact: the Lagrange bound of the relaxation (Dyer 1984, Zemel 1984) leaves a core of choices, whose undominated sums are listed item
/// by item (Nemhauser and Ullmann 1969; Pisinger 1995). Nothing where even the lightest selection is too heavy. Every item has a choice.
std::optional<ChoiceSolution> solve_choice_knapsack(const std::vector<std::vector<Choice>>& items, double budget);

/// The selections at the corners of the lower convex hull of (sum of weights, sum of costs) over all selections, by rising weight. Every selection
/// lies on or above the hull. One step between neighbours changes one item.
std::vector<ChoiceSolution> hull_selections(const std::vector<std::vector<Choice>>& items);

}  // namespace joulecast::policy
