#include "policy/clocks/linear_program.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

double weak_duality_bound(const LinearProgram& program, const std::vector<double>& prices) {
  std::vector<double> reduced = program.cost;
  for (const LinearProgram::Entry& entry : program.entries) {
    reduced[static_cast<std::size_t>(entry.column)] -= prices[static_cast<std::size_t>(entry.row)] * entry.factor;
  }
  double bound = 0;
  for (std::size_t row = 0; row < prices.size(); ++row) bound += prices[row] * program.least[row];
  for (std::size_t column = 0; column < reduced.size(); ++column) bound += std::min(0.0, reduced[column]) * program.most[column];
  return bound;
}

}  // namespace

struct DualSimplex::Solver {
  ClpSimplex clp;
};

DualSimplex::DualSimplex(LinearProgram program) : program_(std::move(program)), solver_(std::make_unique<Solver>()) {
  const std::size_t count = program_.entries.size();
  std::vector<int> rows(count), columns(count);
  std::vector<double> factors(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = program_.entries[i].row;
    columns[i] = program_.entries[i].column;
    factors[i] = program_.entries[i].factor;
  }
  const CoinPackedMatrix matrix(true, rows.data(), columns.data(), factors.data(), static_cast<CoinBigIndex>(count));
  const std::vector<double> zeros(program_.cost.size(), 0.0);
  const std::vector<double> unbounded(program_.least.size(), COIN_DBL_MAX);
  ClpSimplex& clp = solver_->clp;
  clp.setLogLevel(0);
  clp.loadProblem(matrix, zeros.data(), program_.most.data(), program_.cost.data(), program_.least.data(), unbounded.data());
}

DualSimplex::~DualSimplex() = default;
DualSimplex::DualSimplex(DualSimplex&&) noexcept = default;
DualSimplex& DualSimplex::operator=(DualSimplex&&) noexcept = default;

void DualSimplex::set_least(std::int32_t row, double least) {
  program_.least[static_cast<std::size_t>(row)] = least;
  solver_->clp.setRowLower(row, least);
}

void DualSimplex::set_most(std::int32_t column, double most) {
  program_.most[static_cast<std::size_t>(column)] = most;
  solver_->clp.setColumnUpper(column, most);
}

LinearSolution DualSimplex::solve() {
  ClpSimplex& clp = solver_->clp;
  clp.dual();
  if (clp.status() > 1) clp.primal();
  LinearSolution solution;
  solution.feasible = clp.status() == 0;
  JOULECAST_CHECK(clp.status() <= 1, "the simplex method ended without an answer");
  const double* values = clp.primalColumnSolution();
  solution.values.assign(values, values + program_.cost.size());
  const double* prices = clp.dualRowSolution();
  solution.prices.assign(prices, prices + program_.least.size());
  for (double& price : solution.prices) price = std::max(price, 0.0);
  solution.bound = weak_duality_bound(program_, solution.prices);
  return solution;
}

}  // namespace joulecast::policy
