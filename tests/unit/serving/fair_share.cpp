// Rates that share links: the equations beside each case.
#include "serving/fair_share.hpp"

#include <catch2/catch.hpp>

using namespace joulecast::serving;

namespace {

using Links = std::vector<std::size_t>;

std::vector<double> shares(const std::vector<double>& capacities, const std::vector<Links>& flows) {
  std::vector<std::span<const std::size_t>> ways;
  for (const Links& flow : flows) ways.emplace_back(flow);
  return fair_share(capacities, ways);
}

}  // namespace

TEST_CASE("one flow gets the least capacity on its way; two on one link a half each") {
  CHECK(shares({5, 3, 9}, {{0, 1, 2}}) == std::vector<double>{3});
  CHECK(shares({8}, {{0}, {0}}) == std::vector<double>{4, 4});
  CHECK(shares({8}, {}).empty());
}

TEST_CASE("what a flow that is held elsewhere leaves goes to the others") {
  // a: links 0, 1; b: link 0; c: link 1. C0 = 10, C1 = 2.
  // Link 1 fills first at 1 each: a = c = 1, and b takes the 9 that are left of link 0.
  CHECK(shares({10, 2}, {{0, 1}, {0}, {1}}) == std::vector<double>{1, 9, 1});
}

TEST_CASE("the parking lot: one flow over n links and one on each share every link by halves") {
  CHECK(shares({6, 6, 6}, {{0, 1, 2}, {0}, {1}, {2}}) == std::vector<double>{3, 3, 3, 3});
}
