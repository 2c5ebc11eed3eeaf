// The exact assignment under bounds on counts: against exhaustive search, against GLPK, against greedy and fixed shares, and how fast.
#include "policy/routing/share_assignment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "base/philox.hpp"
#include "support/glpk_program.hpp"

using namespace joulecast;
using namespace joulecast::policy;

namespace {

struct Problem {
  std::size_t models = 0;
  std::vector<WeighedRequest> costs;
  std::vector<CountBounds> bounds;
  std::size_t requests() const { return costs.size() / models; }
};

/// Costs that trade against each other: a model that is cheap for short requests is dear for long ones. Every tenth request is like the one before it.
Problem problem(std::size_t requests, std::vector<CountBounds> bounds, const std::string& name) {
  Problem made{bounds.size(), {}, std::move(bounds)};
  Stream random(11, name, "costs");
  double length = 1;
  for (std::size_t q = 0; q < requests; ++q) {
    if (q % 10 != 9) length = std::exp(1.2 * random.normal());
    for (std::size_t m = 0; m < made.models; ++m) {
      const auto size = static_cast<double>(m + 1);
      const double joules = size * size * length;
      made.costs.push_back({0.4 * joules / 9 - 0.6 * std::sqrt(size) * length + (m == 1 ? 0.1 * random.uniform() : 0), joules});
    }
  }
  return made;
}

double total(const Problem& p, const std::vector<std::uint32_t>& at) {
  double sum = 0;
  for (std::size_t q = 0; q < at.size(); ++q) sum += p.costs[q * p.models + at[q]].weighed;
  return sum;
}

std::vector<std::uint32_t> solve(const Problem& p) { return assign(whole_costs(p.costs, p.models), p.bounds); }

void check_bounds(const Problem& p, const std::vector<std::uint32_t>& at) {
  for (std::size_t m = 0; m < p.models; ++m) {
    const auto count = std::count(at.begin(), at.end(), static_cast<std::uint32_t>(m));
    CHECK(count >= p.bounds[m].least);
    CHECK(count <= p.bounds[m].most);
  }
}

/// The least sum over all assignments within the bounds.
double exhaustive(const Problem& p) {
  double best = INFINITY;
  std::vector<std::uint32_t> at(p.requests(), 0);
  for (;;) {
    bool within = true;
    for (std::size_t m = 0; m < p.models; ++m) {
      const auto count = std::count(at.begin(), at.end(), static_cast<std::uint32_t>(m));
      within = within && count >= p.bounds[m].least && count <= p.bounds[m].most;
    }
    if (within) best = std::min(best, total(p, at));
    std::size_t digit = 0;
    while (digit < at.size() && ++at[digit] == p.models) at[digit++] = 0;
    if (digit == at.size()) return best;
  }
}

double by_glpk(const Problem& p) {
  test::GlpkProgram program;
  std::vector<int> columns;
  for (const WeighedRequest& each : p.costs) columns.push_back(program.column(each.weighed, 1));
  for (std::size_t q = 0; q < p.requests(); ++q) {
    const int row = program.equal_row(1);
    for (std::size_t m = 0; m < p.models; ++m) program.entry(row, columns[q * p.models + m], 1);
  }
  for (std::size_t m = 0; m < p.models; ++m) {
    const int least = program.row(static_cast<double>(p.bounds[m].least)), most = program.row(-static_cast<double>(p.bounds[m].most));
    for (std::size_t q = 0; q < p.requests(); ++q) {
      program.entry(least, columns[q * p.models + m], 1);
      program.entry(most, columns[q * p.models + m], -1);
    }
  }
  return program.solve();
}

}  // namespace

TEST_CASE("the assignment is the best of all, tried one by one") {
  const std::vector<std::vector<CountBounds>> all = {{{0, 7}, {0, 7}, {0, 7}}, {{1, 1}, {2, 2}, {4, 4}}, {{4, 7}, {0, 2}, {0, 3}},
                                                     {{0, 1}, {0, 1}, {0, 7}}, {{0, 0}, {7, 7}, {0, 0}}, {{2, 3}, {2, 3}, {2, 3}}};
  for (int seed = 0; seed < 20; ++seed) {
    for (const auto& bounds : all) {
      const Problem p = problem(7, bounds, "small " + std::to_string(seed));
      const auto at = solve(p);
      check_bounds(p, at);
      CHECK(total(p, at) == Approx(exhaustive(p)).epsilon(1e-12).margin(1e-12));
    }
  }
}

TEST_CASE("the objective of 2,000 requests is GLPK's to 1e-9, for equalities and for bounds") {
  for (const auto& bounds : std::vector<std::vector<CountBounds>>{{{100, 100}, {400, 400}, {1500, 1500}}, {{900, 2000}, {0, 300}, {0, 900}}}) {
    const Problem p = problem(2000, bounds, "large");
    const auto at = solve(p);
    check_bounds(p, at);
    const double reference = by_glpk(p);
    CHECK(std::abs(total(p, at) - reference) <= 1e-9 * std::abs(reference));
  }
}

TEST_CASE("never worse than taking requests in turn as the shares have room, nor than fixed shares of every kind") {
  const Problem p = problem(3000, {{150, 150}, {600, 600}, {2250, 2250}}, "greedy");
  const double optimum = total(p, solve(p));
  std::vector<std::int64_t> left{150, 600, 2250};
  double greedy = 0, fixed = 0;
  for (std::size_t q = 0; q < 3000; ++q) {
    std::size_t best = 3;
    for (std::size_t m = 0; m < 3; ++m) {
      if (left[m] > 0 && (best == 3 || p.costs[q * 3 + m].weighed < p.costs[q * 3 + best].weighed)) best = m;
    }
    --left[best];
    greedy += p.costs[q * 3 + best].weighed;
    fixed += p.costs[q * 3 + (q % 20 == 0 ? 0 : q % 5 == 1 ? 1 : 2)].weighed;
  }
  CHECK(optimum < greedy - 1e-6);
  CHECK(optimum < fixed - 1e-6);
}

TEST_CASE("among equal costs less joules, then the lower position, then the lower number moves") {
  // All the same: who goes where is the tie-break alone.
  const std::vector<WeighedRequest> same(8, {1, 5});
  CHECK(assign(whole_costs(same, 2), std::vector<CountBounds>{{0, 4}, {0, 4}}) == std::vector<std::uint32_t>{0, 0, 0, 0});
  CHECK(assign(whole_costs(same, 2), std::vector<CountBounds>{{0, 2}, {0, 4}}) == std::vector<std::uint32_t>{1, 1, 0, 0});
  const std::vector<WeighedRequest> joules{{1, 5}, {1, 4}, {1, 5}, {1, 3}};
  CHECK(assign(whole_costs(joules, 2), std::vector<CountBounds>{{0, 2}, {0, 2}}) == std::vector<std::uint32_t>{1, 1});
  CHECK(assign(whole_costs(joules, 2), std::vector<CountBounds>{{1, 2}, {0, 2}}) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("many models in a chain: a request moves because another one does") {
  // Model k is dear for all but the requests that sit on its left neighbour.
  Problem p{5, {}, {{0, 0}, {0, 2}, {0, 2}, {0, 2}, {0, 9}}};
  for (int q = 0; q < 8; ++q) {
    for (int m = 0; m < 5; ++m) p.costs.push_back({std::abs(m - q / 2) * 1.0 + 0.01 * q * m, 1});
  }
  const auto at = solve(p);
  check_bounds(p, at);
  CHECK(total(p, at) == Approx(by_glpk(p)).epsilon(1e-12));
}

TEST_CASE("52,002 requests with exact shares: no ring of requests could change places and gain, which proves the optimum", "[long]") {
  // With counts given, an assignment is optimal if and only if no cycle of models has a negative sum of d(i, j) = min over requests on i of c_j - c_i.
  const Problem p = problem(52002, {{2600, 2600}, {10400, 10400}, {39002, 39002}}, "alpaca");
  const auto at = solve(p);
  check_bounds(p, at);
  double d[3][3];
  for (auto& row : d) std::fill(std::begin(row), std::end(row), INFINITY);
  for (std::size_t q = 0; q < at.size(); ++q) {
    for (std::size_t to = 0; to < 3; ++to) d[at[q]][to] = std::min(d[at[q]][to], p.costs[q * 3 + to].weighed - p.costs[q * 3 + at[q]].weighed);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (i == j) continue;
      CHECK(d[i][j] + d[j][i] > -1e-9);
      CHECK(d[i][j] + d[j][3 - i - j] + d[3 - i - j][i] > -1e-9);
    }
  }
}
