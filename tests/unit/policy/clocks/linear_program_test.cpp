// min c*x, A*x >= b, 0 <= x <= u: against a vertex worked out by hand, and against GLPK on random programs.
#include "policy/clocks/linear_program.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/philox.hpp"
#include "support/glpk_program.hpp"

using namespace joulecast;
using policy::DualSimplex;
using policy::LinearProgram;

namespace {

/// min -3x - 5y with x + y <= 4, x + 3y <= 6, x, y in 0 .. 10: the optimum is the corner (3, 1), value -14; prices 2 and 1.
LinearProgram corner() { return {{-3, -5}, {10, 10}, {-4, -6}, {{0, 0, -1}, {0, 1, -1}, {1, 0, -1}, {1, 1, -3}}}; }

LinearProgram random_program(std::uint64_t seed) {
  Stream stream(seed, "program", "entries");
  LinearProgram program;
  const int columns = 20, rows = 15;
  for (int j = 0; j < columns; ++j) {
    program.cost.push_back(stream.uniform() - 0.7);
    program.most.push_back(1 + 4 * stream.uniform());
  }
  for (int i = 0; i < rows; ++i) {
    program.least.push_back(-3 * stream.uniform());
    for (int j = 0; j < columns; ++j) {
      if (stream.uniform() < 0.3) program.entries.push_back({i, j, 2 * stream.uniform() - 1.3});
    }
  }
  return program;
}

}  // namespace

TEST_CASE("a program with a known corner") {
  DualSimplex simplex(corner());
  const auto solution = simplex.solve();
  REQUIRE(solution.feasible);
  CHECK(solution.values[0] == Approx(3));
  CHECK(solution.values[1] == Approx(1));
  CHECK(solution.prices[0] == Approx(2));
  CHECK(solution.prices[1] == Approx(1));
  CHECK(solution.bound == Approx(-14));
}

TEST_CASE("a changed right-hand side is solved from the last basis to the same answer") {
  DualSimplex simplex(corner());
  simplex.solve();
  simplex.set_least(0, -5);  // x + y <= 5: (4.5, 0.5)
  CHECK(simplex.solve().bound == Approx(-16));
  simplex.set_least(0, -3);  // x + y <= 3: (1.5, 1.5)
  CHECK(simplex.solve().bound == Approx(-12));
  simplex.set_most(0, 1);  // x <= 1: (1, 5/3)
  CHECK(simplex.solve().bound == Approx(-3 - 25.0 / 3));
}

TEST_CASE("rows that contradict the bounds have no answer") {
  DualSimplex simplex({{1}, {1}, {2}, {{0, 0, 1}}});
  CHECK_FALSE(simplex.solve().feasible);
}

TEST_CASE("random programs: GLPK's optimum, and the prices certify it") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const LinearProgram program = random_program(seed);
    test::GlpkProgram glpk;
    for (std::size_t j = 0; j < program.cost.size(); ++j) glpk.column(program.cost[j], program.most[j]);
    for (const double least : program.least) glpk.row(least);
    for (const auto& entry : program.entries) glpk.entry(entry.row + 1, entry.column + 1, entry.factor);
    const double optimum = glpk.solve();
    const auto solution = DualSimplex(program).solve();
    REQUIRE(solution.feasible);
    double value = 0;
    for (std::size_t j = 0; j < program.cost.size(); ++j) value += program.cost[j] * solution.values[j];
    CHECK(value == Approx(optimum).epsilon(1e-9));
    CHECK(solution.bound == Approx(optimum).epsilon(1e-9));
  }
}
