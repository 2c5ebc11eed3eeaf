#include "policy/clocks/choice_knapsack.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

using Items = std::vector<std::vector<Choice>>;

/// Positions of the choices that no other beats in both, by rising weight.
std::vector<std::size_t> undominated(const std::vector<Choice>& choices) {
  std::vector<std::size_t> order(choices.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(choices[a].weight, choices[a].cost) < std::pair(choices[b].weight, choices[b].cost);
  });
  std::vector<std::size_t> kept;
  for (const std::size_t i : order) {
    if (kept.empty() || choices[i].cost < choices[kept.back()].cost) kept.push_back(i);
  }
  return kept;
}

std::vector<std::size_t> lower_hull(const std::vector<Choice>& choices) {
  std::vector<std::size_t> hull;
  for (const std::size_t c : undominated(choices)) {
    while (hull.size() >= 2) {
      const Choice &a = choices[hull[hull.size() - 2]], &b = choices[hull.back()], &next = choices[c];
      if ((b.cost - a.cost) * (next.weight - a.weight) < (next.cost - a.cost) * (b.weight - a.weight)) break;
      hull.pop_back();
    }
    hull.push_back(c);
  }
  return hull;
}

/// One step along an item's hull: the saving a unit of weight falls from step to step of an item.
struct HullStep {
  std::size_t item = 0, to = 0;
  double weight = 0, saving = 0;
};

std::vector<HullStep> hull_steps(const Items& items, std::vector<std::size_t>& lightest) {
  std::vector<HullStep> steps;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::vector<std::size_t> hull = lower_hull(items[i]);
    lightest.push_back(hull.front());
    for (std::size_t k = 1; k < hull.size(); ++k) {
      const Choice &a = items[i][hull[k - 1]], &b = items[i][hull[k]];
      steps.push_back({i, hull[k], b.weight - a.weight, a.cost - b.cost});
    }
  }
  std::stable_sort(steps.begin(), steps.end(), [](const HullStep& a, const HullStep& b) { return a.saving * b.weight > b.saving * a.weight; });
  return steps;
}

ChoiceSolution sum_of(const Items& items, std::vector<std::size_t> chosen) {
  ChoiceSolution solution;
  for (std::size_t i = 0; i < items.size(); ++i) {
    solution.weight += items[i][chosen[i]].weight;
    solution.cost += items[i][chosen[i]].cost;
  }
  solution.chosen = std::move(chosen);
  solution.bound = solution.cost;
  return solution;
}

/// The relaxation's optimum and price of weight, and a selection within the budget.
struct Relaxation {
  double bound = 0, price = 0;
  ChoiceSolution greedy;
};

Relaxation relax(const Items& items, double budget) {
  std::vector<std::size_t> chosen;
  const std::vector<HullStep> steps = hull_steps(items, chosen);
  ChoiceSolution now = sum_of(items, chosen);
  Relaxation relaxation;
  bool full = false;
  double weight = now.weight;
  relaxation.bound = now.cost;
  for (const HullStep& step : steps) {
    // Beyond the step that the relaxation takes a part of, an item may go from a choice before `step` over one that was too heavy.
    const std::vector<Choice>& choices = items[step.item];
    const double more = choices[step.to].weight - choices[chosen[step.item]].weight;
    if (weight + more <= budget) {
      chosen[step.item] = step.to;
      weight += more;
      if (!full) relaxation.bound -= step.saving;
    } else if (!full) {
      full = true;
      relaxation.price = step.saving / step.weight;
      relaxation.bound -= relaxation.price * (budget - weight);
    }
  }
  relaxation.greedy = sum_of(items, std::move(chosen));
  return relaxation;
}

/// A sum over the first items, and how it came about.
struct State {
  double weight = 0, cost = 0, excess = 0;
  std::int32_t before = -1, choice = -1;
};

/// A choice with what it adds to the relaxation's bound at the relaxation's price: at least 0.
struct CoreChoice {
  std::size_t choice;
  double weight, cost, excess;
};

struct CoreItem {
  std::size_t item = 0;
  std::vector<CoreChoice> choices;
  double lightest = 0, heaviest = 0;
};

/// All selections within the budget that cost at most the relaxation's bound + `room`, as undominated sums item by item. With the excess of a choice
/// over the bound, cost = bound + sum of excesses + price*(budget - weight): each of the three is at most `room`. Items whose choices differ most in
/// weight come first: what is then left to decide moves the sum little, and most sums are out of reach of the budget.
class Core {
 public:
  Core(const Items& items, double budget, const Relaxation& relaxation, double room)
      : items_(items), budget_(budget), price_(relaxation.price), room_(room), core_(items.size()), after_(items.size() + 1) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      core_[i].item = i;
      double base = std::numeric_limits<double>::infinity();
      for (const Choice& choice : items[i]) base = std::min(base, choice.cost + price_ * choice.weight);
      for (const std::size_t c : undominated(items[i])) {
        const Choice& choice = items[i][c];
        const double excess = choice.cost + price_ * choice.weight - base;
        if (excess <= room_) core_[i].choices.push_back({c, choice.weight, choice.cost, excess});
      }
    }
    for (CoreItem& item : core_) {
      const auto [light, heavy] =
          std::minmax_element(item.choices.begin(), item.choices.end(), [](const CoreChoice& a, const CoreChoice& b) { return a.weight < b.weight; });
      item.lightest = light->weight;
      item.heaviest = heavy->weight;
    }
    std::stable_sort(core_.begin(), core_.end(),
                     [](const CoreItem& a, const CoreItem& b) { return a.heaviest - a.lightest > b.heaviest - b.lightest; });
    for (std::size_t i = items.size(); i-- > 0;) {
      after_[i] = {after_[i + 1].lightest + core_[i].lightest, after_[i + 1].heaviest + core_[i].heaviest};
    }
  }

  /// The cheapest of them; nothing where there is none.
  std::optional<ChoiceSolution> solve() const {
    std::vector<std::vector<State>> layers = {{State{}}};
    for (std::size_t i = 0; i < core_.size(); ++i) layers.push_back(extend(layers.back(), i));
    if (layers.back().empty()) return std::nullopt;
    // Rising weight, falling cost.
    auto at = static_cast<std::int32_t>(layers.back().size()) - 1;
    std::vector<std::size_t> chosen(core_.size());
    for (std::size_t i = core_.size(); i-- > 0;) {
      const State& state = layers[i + 1][static_cast<std::size_t>(at)];
      chosen[core_[i].item] = static_cast<std::size_t>(state.choice);
      at = state.before;
    }
    return sum_of(items_, std::move(chosen));
  }

 private:
  struct Left {
    double lightest = 0, heaviest = 0;
  };

  std::vector<State> extend(const std::vector<State>& states, std::size_t item) const {
    const Left& left = after_[item + 1];
    const double least = price_ > 0 ? budget_ - room_ / price_ : -std::numeric_limits<double>::infinity();
    std::vector<State> longer;
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (const CoreChoice& choice : core_[item].choices) {
        const State state{states[s].weight + choice.weight, states[s].cost + choice.cost, states[s].excess + choice.excess,
                          static_cast<std::int32_t>(s), static_cast<std::int32_t>(choice.choice)};
        if (state.weight + left.lightest > budget_ || state.weight + left.heaviest < least || state.excess > room_) continue;
        longer.push_back(state);
      }
    }
    std::stable_sort(longer.begin(), longer.end(),
                     [](const State& a, const State& b) { return std::pair(a.weight, a.cost) < std::pair(b.weight, b.cost); });
    std::vector<State> kept;
    for (const State& state : longer) {
      if (kept.empty() || state.cost < kept.back().cost) kept.push_back(state);
    }
    return kept;
  }

  const Items& items_;
  double budget_, price_, room_;
  std::vector<CoreItem> core_;
  std::vector<Left> after_;  ///< of the items of the core from here on
};

/// The core grows until it holds the optimum: most of its choices never matter.
ChoiceSolution solve_core(const Items& items, double budget, const Relaxation& relaxation) {
  const double rounding = 1e-12 * std::abs(relaxation.bound);
  const double gap = relaxation.greedy.cost - relaxation.bound;
  if (gap <= rounding) return relaxation.greedy;
  constexpr double kFirst = 1e-4, kGrow = 2;
  for (double room = kFirst * gap; room < gap; room *= kGrow) {
    // Found within the room, nothing cheaper lies outside it.
    auto found = Core(items, budget, relaxation, room + rounding).solve();
    if (found && found->cost <= relaxation.bound + room + rounding) return *std::move(found);
  }
  auto found = Core(items, budget, relaxation, gap + rounding).solve();
  return found && found->cost < relaxation.greedy.cost ? *std::move(found) : relaxation.greedy;
}

}  // namespace

std::optional<ChoiceSolution> solve_choice_knapsack(const Items& items, double budget) {
  double lightest = 0;
  for (const std::vector<Choice>& choices : items) {
    JOULECAST_CHECK(!choices.empty(), "an item without a choice");
    double least = choices.front().weight;
    for (const Choice& choice : choices) least = std::min(least, choice.weight);
    lightest += least;
  }
  const double limit = budget + 1e-12 * std::abs(budget);
  if (lightest > limit) return std::nullopt;
  const Relaxation relaxation = relax(items, limit);
  ChoiceSolution solution = solve_core(items, limit, relaxation);
  solution.bound = std::min(relaxation.bound, solution.cost);
  return solution;
}

std::vector<ChoiceSolution> hull_selections(const Items& items) {
  std::vector<std::size_t> chosen;
  const std::vector<HullStep> steps = hull_steps(items, chosen);
  std::vector<ChoiceSolution> selections = {sum_of(items, chosen)};
  for (const HullStep& step : steps) {
    chosen[step.item] = step.to;
    selections.push_back(sum_of(items, chosen));
  }
  return selections;
}

}  // namespace joulecast::policy
