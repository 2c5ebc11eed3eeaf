// Where the cheapest fleet changes: two lines in one input cross where their equation says.
#include "study/plan_turns.hpp"

#include <catch2/catch.hpp>

using namespace joulecast::study;

namespace {

const Turn* find(const std::vector<Turn>& turns, const std::string& input, const std::string& to) {
  for (const Turn& each : turns) {
    if (each.input == input && each.to == to) return &each;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the price of power turns the answer where k e_a + h_a = k e_b + h_b") {
  // a: 2 k + 3; b: 1 k + 5 and c: 0.5 k + 9 cross it at k = 2 and k = 4: b is nearer.
  const std::vector<SplitCost> fleets = {{"a", "x", 2, 3, 0, 0}, {"b", "y", 1, 5, 0, 0}, {"c", "z", 0.5, 9, 0, 0}};
  const auto turns = cost_turns(fleets, "USD", 0.1 / 3.6e6, 1.2);
  const Turn* price = find(turns, "price of power", "b");
  REQUIRE(price != nullptr);
  CHECK(price->at == Approx(0.2));
  CHECK(*price->now == Approx(0.1));
  CHECK(find(turns, "price of power", "c") == nullptr);
  const Turn* pue = find(turns, "PUE", "b");
  REQUIRE(pue != nullptr);
  CHECK(pue->at == Approx(2.4));
}

TEST_CASE("a factor on one kind's rental turns it where the difference in cost is made up") {
  // a costs 5 of which 3 are rent, b 6 of which 5: a's rent may rise by 1/3, b's fall by 1/5.
  const std::vector<SplitCost> fleets = {{"a", "x", 2, 3, 0, 0}, {"b", "y", 1, 5, 0, 0}};
  const auto turns = cost_turns(fleets, "USD", std::nullopt, 1);
  const Turn *own = find(turns, "rental of x", "b"), *others = find(turns, "rental of y", "b");
  REQUIRE(own != nullptr);
  REQUIRE(others != nullptr);
  CHECK(own->at == Approx(4.0 / 3));
  CHECK(others->at == Approx(0.8));
}

TEST_CASE("PUE scales the demand charge with the energy, the price of power does not") {
  // Both take 3 of energy and demand together: no PUE turns that; in the price a: 2 k + 4 and b: k + 7 meet at 3.
  const std::vector<SplitCost> even = {{"a", "x", 2, 3, 0, 1}, {"b", "y", 1, 5, 0, 2}};
  const auto turns = cost_turns(even, "USD", std::nullopt, 1.2);
  REQUIRE(find(turns, "price of power", "b") != nullptr);
  CHECK(find(turns, "price of power", "b")->at == Approx(3));
  CHECK(find(turns, "PUE", "b") == nullptr);
  // a: (2 + 1) k + 3 and b: (1 + 1) k + 5 meet at 2.
  const auto meet = cost_turns({{"a", "x", 2, 3, 0, 1}, {"b", "y", 1, 5, 0, 1}}, "USD", std::nullopt, 1.2);
  REQUIRE(find(meet, "PUE", "b") != nullptr);
  CHECK(find(meet, "PUE", "b")->at == Approx(2.4));
}

TEST_CASE("fleets of the same nodes that differ in energy alone do not turn with a price or a rent; a PUE under one does not exist") {
  const std::vector<SplitCost> same = {{"a", "x", 1, 3, 0, 0}, {"b", "x", 2, 3, 0, 0}};
  CHECK(cost_turns(same, "USD", std::nullopt, 1.2).empty());
  const std::vector<SplitCost> below = {{"a", "x", 1, 4, 0, 0}, {"b", "y", 3, 3, 0, 0}};  // k = 1/2
  const auto turns = cost_turns(below, "USD", std::nullopt, 1.2);
  CHECK(find(turns, "price of power", "b") != nullptr);
  CHECK(find(turns, "PUE", "b") == nullptr);
  CHECK(cost_turns({same.front()}, "USD", std::nullopt, 1.2).empty());
}
