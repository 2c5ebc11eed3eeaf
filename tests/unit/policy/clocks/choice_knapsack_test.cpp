// One choice of each item, weights within a budget, least cost: against every selection there is, and against GLPK's integer program.
#include "policy/clocks/choice_knapsack.hpp"

#include <catch2/catch.hpp>
#include <optional>

#include "base/philox.hpp"
#include "support/glpk_program.hpp"

using namespace joulecast;
using namespace joulecast::policy;

namespace {

std::vector<std::vector<Choice>> random_items(std::uint64_t seed, int items, int choices) {
  Stream stream(seed, "knapsack", "choices");
  std::vector<std::vector<Choice>> all;
  for (int i = 0; i < items; ++i) {
    all.emplace_back();
    const double size = 0.01 + stream.uniform();
    for (int j = 0; j < choices; ++j) all.back().push_back({size * (1 + stream.uniform()), size * (1 + stream.uniform())});
  }
  return all;
}

double least_weight(const std::vector<std::vector<Choice>>& items) {
  double sum = 0;
  for (const auto& choices : items) {
    double least = choices.front().weight;
    for (const Choice& choice : choices) least = std::min(least, choice.weight);
    sum += least;
  }
  return sum;
}

std::optional<double> exhaustive(const std::vector<std::vector<Choice>>& items, double budget, std::size_t at = 0, double weight = 0,
                                 double cost = 0) {
  if (weight > budget) return std::nullopt;
  if (at == items.size()) return cost;
  std::optional<double> least;
  for (const Choice& choice : items[at]) {
    const auto found = exhaustive(items, budget, at + 1, weight + choice.weight, cost + choice.cost);
    if (found && (!least || *found < *least)) least = found;
  }
  return least;
}

double by_glpk(const std::vector<std::vector<Choice>>& items, double budget) {
  test::GlpkProgram program;
  const int limit = program.row(-budget);
  for (const auto& choices : items) {
    const int one = program.equal_row(1);
    for (const Choice& choice : choices) {
      const int column = program.column(choice.cost, 1);
      program.entry(limit, column, -choice.weight);
      program.entry(one, column, 1);
    }
  }
  return program.solve_whole();
}

}  // namespace

TEST_CASE("a small knapsack by hand") {
  // Within 5: (1, 10) + (3, 4) = 14 of weight 4, (2, 6) + (3, 4) = 10 of weight 5, (2, 6) + (1, 9) = 15. Within 4: 14.
  const std::vector<std::vector<Choice>> items = {{{1, 10}, {2, 6}}, {{1, 9}, {3, 4}}};
  CHECK(solve_choice_knapsack(items, 5)->cost == 10);
  CHECK(solve_choice_knapsack(items, 4)->cost == 14);
  CHECK(solve_choice_knapsack(items, 2)->cost == 19);
  CHECK_FALSE(solve_choice_knapsack(items, 1.9));
}

TEST_CASE("every selection that there is: none is cheaper within the budget") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const auto items = random_items(seed, 6, 5);
    for (const double factor : {1.0, 1.05, 1.15, 1.3, 2.0}) {
      const double budget = factor * least_weight(items);
      const auto solution = solve_choice_knapsack(items, budget);
      REQUIRE(solution);
      CHECK(solution->cost == Approx(exhaustive(items, budget * (1 + 1e-12)).value()).epsilon(1e-12));
      CHECK(solution->weight <= budget * (1 + 1e-11));
      CHECK(solution->bound <= solution->cost);
    }
  }
}

TEST_CASE("46 items of 55 choices: GLPK's optimum") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    const auto items = random_items(seed, 46, 55);
    const double budget = 1.1 * least_weight(items);
    CHECK(solve_choice_knapsack(items, budget)->cost == Approx(by_glpk(items, budget)).epsilon(1e-9));
  }
}

TEST_CASE("hull selections: neighbours differ in one item, slopes rise, the ends are the lightest and the cheapest") {
  const auto items = random_items(3, 8, 6);
  const auto corners = hull_selections(items);
  REQUIRE(corners.size() > 4);
  CHECK(corners.front().weight == Approx(least_weight(items)));
  double last = -1e300;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    int changed = 0;
    for (std::size_t k = 0; k < items.size(); ++k) changed += corners[i].chosen[k] != corners[i - 1].chosen[k] ? 1 : 0;
    CHECK(changed == 1);
    const double slope = (corners[i].cost - corners[i - 1].cost) / (corners[i].weight - corners[i - 1].weight);
    CHECK(slope < 0);
    CHECK(slope >= last * (1 + 1e-9));
    last = slope;
  }
}
