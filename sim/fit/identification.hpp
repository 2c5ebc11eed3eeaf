#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

namespace joulecast::fit::detail {

/// The upper triangle R of A = QR with its columns scaled to length 1, with what scaled them. Only .cpp files of this folder see it.
struct Triangle {
  Eigen::MatrixXd r;       ///< n x n
  Eigen::VectorXd scale;   ///< length of each column of A
  Eigen::VectorXd target;  ///< the first n of Q'y
};

/// Throws UserError naming the columns that the rows do not tell apart: fewer rows than columns, a column of zeros, or a singular value of the
/// scaled columns below `tolerance` times the largest.
Triangle identified_triangle(const Eigen::MatrixXd& a, const Eigen::VectorXd& y, const std::vector<std::string>& names, double tolerance);

/// (A'A)^-1 from the triangle.
Eigen::MatrixXd inverse_normal_matrix(const Triangle& triangle);

}  // namespace joulecast::fit::detail
