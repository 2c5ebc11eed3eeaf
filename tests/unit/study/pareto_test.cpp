#include "study/pareto.hpp"

#include <catch2/catch.hpp>
#include <limits>

using joulecast::study::pareto_front;

TEST_CASE("a point is on the front unless another is as good in all objectives and better in one") {
  //   y 4 | a . . .        a, b and d are on it: c is behind b (worse in both), e behind d (as good in y, worse in x), f equals b.
  //     3 | . . . .
  //     2 | . bf c .
  //     1 | . . d e
  const std::vector<std::vector<double>> points = {{1, 4}, {2, 2}, {3, 3}, {3, 1}, {4, 1}, {2, 2}};
  CHECK(pareto_front(points) == std::vector<bool>{true, true, false, true, false, true});
}

TEST_CASE("of one objective the least values are the front, of three none of a simplex is left out") {
  CHECK(pareto_front({{3}, {1}, {2}, {1}}) == std::vector<bool>{false, true, false, true});
  CHECK(pareto_front({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}) == std::vector<bool>{true, true, true, false});
}

TEST_CASE("a point of which an objective is not known is not on the front and hides none") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(pareto_front({{nan, 0}, {1, 1}, {}}) == std::vector<bool>{false, true, false});
  CHECK(pareto_front({}).empty());
}
