#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace joulecast::policy {

/// min cost*x subject to A*x >= least (row by row) and 0 <= x <= most (column by column, all finite), given sparsely.
struct LinearProgram {
  struct Entry {
    std::int32_t row = 0, column = 0;
    double factor = 0;
  };
  std::vector<double> cost;   ///< by column
  std::vector<double> most;   ///< by column
  std::vector<double> least;  ///< by row
  std::vector<Entry> entries;
};

struct LinearSolution {
  std::vector<double> values;  ///< by column
  std::vector<double> prices;  ///< by row, at least 0: what a unit more of `least` costs
  /// A lower bound of the optimum that holds for whatever prices y the solver found: y*least + sum over columns of min(0, cost - y*A)*most (weak
  /// duality over the box). Equals the optimum where the prices are optimal.
  double bound = 0;
  bool feasible = true;  ///< false: no x satisfies the rows; values, prices and bound say nothing then
};

/// Solves a program by the dual simplex method, and again from the last basis when right-hand sides have changed.
class DualSimplex {
 public:
  explicit DualSimplex(LinearProgram program);
  ~DualSimplex();
  DualSimplex(DualSimplex&&) noexcept;
  DualSimplex& operator=(DualSimplex&&) noexcept;

  void set_least(std::int32_t row, double least);
  void set_most(std::int32_t column, double most);
  LinearSolution solve();

 private:
  struct Solver;
  LinearProgram program_;
  std::unique_ptr<Solver> solver_;
};

}  // namespace joulecast::policy
