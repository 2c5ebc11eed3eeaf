#pragma once

#include <glpk.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace joulecast::test {

/// min cost*x, least <= A*x, 0 <= x <= most, solved by GLPK: a solver that shares nothing with the one under test. All variables whole if `whole`.
class GlpkProgram {
 public:
  GlpkProgram() : problem_(glp_create_prob()) { glp_term_out(GLP_OFF); }
  ~GlpkProgram() { glp_delete_prob(problem_); }
  GlpkProgram(const GlpkProgram&) = delete;
  GlpkProgram& operator=(const GlpkProgram&) = delete;

  /// Returns the column's number.
  int column(double cost, double most) {
    const int j = glp_add_cols(problem_, 1);
    glp_set_obj_coef(problem_, j, cost);
    glp_set_col_bnds(problem_, j, most > 0 ? GLP_DB : GLP_FX, 0, most);
    most_.push_back(most);
    cost_.push_back(cost);
    return j;
  }
  int row(double least) {
    const int i = glp_add_rows(problem_, 1);
    glp_set_row_bnds(problem_, i, GLP_LO, least, 0);
    least_.push_back(least);
    return i;
  }
  int equal_row(double value) {
    const int i = glp_add_rows(problem_, 1);
    glp_set_row_bnds(problem_, i, GLP_FX, value, value);
    least_.push_back(value);
    return i;
  }
  void entry(int row, int column, double factor) {
    rows_.push_back(row);
    columns_.push_back(column);
    factors_.push_back(factor);
  }

  /// The optimum of the linear program.
  double solve() {
    load();
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.meth = GLP_DUALP;
    options.presolve = GLP_ON;
    if (glp_simplex(problem_, &options) != 0 || glp_get_status(problem_) != GLP_OPT) throw std::runtime_error("GLPK found no optimum");
    return glp_get_obj_val(problem_);
  }
  /// y*least + sum of min(0, cost - y*A)*most with GLPK's own prices y >= 0 of the last `solve`: below every x that keeps the rows, and equal to the
  /// optimum if the prices are a certificate of it.
  double certificate() const {
    std::vector<double> reduced = cost_;
    double bound = 0;
    for (std::size_t i = 0; i < least_.size(); ++i) bound += price(static_cast<int>(i) + 1) * least_[i];
    for (std::size_t k = 0; k < rows_.size(); ++k) reduced[static_cast<std::size_t>(columns_[k] - 1)] -= price(rows_[k]) * factors_[k];
    for (std::size_t j = 0; j < reduced.size(); ++j) bound += reduced[j] < 0 ? reduced[j] * most_[j] : 0;
    return bound;
  }
  /// The optimum over whole numbers.
  double solve_whole() {
    load();
    for (int j = 1; j <= glp_get_num_cols(problem_); ++j) glp_set_col_kind(problem_, j, GLP_BV);
    glp_iocp options;
    glp_init_iocp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.presolve = GLP_ON;
    options.mir_cuts = GLP_ON;
    options.cov_cuts = GLP_ON;
    if (glp_intopt(problem_, &options) != 0 || glp_mip_status(problem_) != GLP_OPT) throw std::runtime_error("GLPK found no optimum");
    return glp_mip_obj_val(problem_);
  }

 private:
  void load() {
    rows_.insert(rows_.begin(), 0);
    columns_.insert(columns_.begin(), 0);
    factors_.insert(factors_.begin(), 0);
    glp_load_matrix(problem_, static_cast<int>(rows_.size()) - 1, rows_.data(), columns_.data(), factors_.data());
    rows_.erase(rows_.begin());
    columns_.erase(columns_.begin());
    factors_.erase(factors_.begin());
  }
  double price(int row) const {
    const double y = glp_get_row_dual(problem_, row);
    return y > 0 ? y : 0;
  }

  glp_prob* problem_;
  std::vector<int> rows_, columns_;
  std::vector<double> factors_, cost_, most_, least_;
};

}  // namespace joulecast::test
