#include "fit/identification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace joulecast::fit::detail {
namespace {

[[noreturn]] void throw_unidentified(const std::vector<std::string>& names, Eigen::Index rows) {
  const bool one = names.size() == 1;
  throw UserError({},
                  fmt::format("{} row{} do not identify {} {}", rows, rows == 1 ? "" : "s", one ? "the parameter" : "each of the parameters",
                              fmt::join(names, ", ")),
                  one ? "give rows in which it matters, or leave it out" : "give rows in which they act differently, or leave one of them out");
}

}  // namespace

Triangle identified_triangle(const Eigen::MatrixXd& a, const Eigen::VectorXd& y, const std::vector<std::string>& names, double tolerance) {
  const Eigen::Index n = a.cols();
  if (a.rows() < n) throw_unidentified(names, a.rows());
  if (n == 0) return {};
  const Eigen::VectorXd scale = a.colwise().norm();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(scale[j] > 0)) throw_unidentified({names[static_cast<std::size_t>(j)]}, a.rows());
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(a * scale.cwiseInverse().asDiagonal());
  Triangle result{qr.matrixQR().topRows(n).triangularView<Eigen::Upper>(), scale, (qr.householderQ().adjoint() * y).head(n)};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(result.r, Eigen::ComputeFullV);
  if (svd.singularValues()[n - 1] < tolerance * svd.singularValues()[0]) {
    // The direction that changes nothing: its members cannot be told apart.
    const Eigen::VectorXd flat = svd.matrixV().col(n - 1).cwiseAbs();
    std::vector<std::string> members;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (flat[j] > 0.05 * flat.maxCoeff()) members.push_back(names[static_cast<std::size_t>(j)]);
    }
    throw_unidentified(members, a.rows());
  }
  return result;
}

Eigen::MatrixXd inverse_normal_matrix(const Triangle& triangle) {
  const Eigen::Index n = triangle.r.rows();
  if (n == 0) return {};
  const Eigen::MatrixXd inverse =
      triangle.scale.cwiseInverse().asDiagonal() * triangle.r.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(n, n)).eval();
  return inverse * inverse.transpose();
}

}  // namespace joulecast::fit::detail
