// Weighted least squares against closed forms, its error messages, and the optimality conditions of the non-negative problem.
#include "fit/least_squares.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"
#include "base/philox.hpp"

using namespace joulecast;
using namespace joulecast::fit;

TEST_CASE("a line through points: slope, intercept, errors and both R2 in closed form") {
  // y = 1, 3, 2, 5, 4 over x = 1..5: slope = Sxy/Sxx = 8/10, intercept = 3 - 0.8*3, SS = 10 - 8^2/10 = 3.6, s^2 = 3.6/3.
  Design design({"x"});
  const double y[] = {1, 3, 2, 5, 4};
  for (int i = 0; i < 5; ++i) design.add(std::vector<double>{i + 1.0}, y[i]);
  const LinearFit fit = least_squares(design, Intercept::fitted);
  CHECK(fit.coefficients[0] == Approx(0.8).epsilon(1e-14));
  CHECK(fit.intercept == Approx(0.6).epsilon(1e-13));
  CHECK(fit.sum_of_squares == Approx(3.6).epsilon(1e-13));
  CHECK(fit.r2_centred == Approx(1 - 3.6 / 10).epsilon(1e-13));
  CHECK(fit.r2_uncentred == Approx(1 - 3.6 / 55).epsilon(1e-13));
  // var(slope) = s^2/Sxx, var(intercept) = s^2 (1/n + mean^2/Sxx), cov = -s^2 mean/Sxx.
  CHECK(fit.covariance.standard_error(0) == Approx(std::sqrt(1.2 / 10)).epsilon(1e-13));
  CHECK(fit.covariance.standard_error(1) == Approx(std::sqrt(1.2 * (0.2 + 0.9))).epsilon(1e-13));
  CHECK(fit.covariance.at(0, 1) == Approx(-1.2 * 0.3).epsilon(1e-13));
  // t(95 %, 3) = 3.182446305284263.
  const Interval interval = fit.covariance.interval(0, fit.coefficients[0], 0.95);
  CHECK(interval.high - 0.8 == Approx(3.182446305284263 * std::sqrt(0.12)).epsilon(1e-9));
  CHECK(fit.predict(std::vector<double>{10.0}) == Approx(8.6).epsilon(1e-13));
}

TEST_CASE("without an intercept the slope is sum xy / sum x2 and R2 is not the centred one") {
  Design design({"x"});
  for (const double x : {1.0, 2.0, 4.0}) design.add(std::vector{x}, 3 + x);
  const LinearFit fit = least_squares(design, Intercept::none);
  CHECK(fit.coefficients[0] == Approx((4 + 10 + 28) / 21.0).epsilon(1e-14));
  CHECK(fit.intercept == 0);
  CHECK(fit.r2_centred < fit.r2_uncentred);
  CHECK(fit.covariance.size() == 1);
}

TEST_CASE("a weight of k stands for k equal rows") {
  Design weighted({"a", "b"});
  Design repeated({"a", "b"});
  const double rows[][3] = {{1, 2, 3}, {2, 1, 5}, {4, -1, 2}, {0, 1, 1}};
  for (int i = 0; i < 4; ++i) {
    const std::vector<double> row{rows[i][0], rows[i][1]};
    weighted.add(row, rows[i][2], i + 1);
    for (int k = 0; k <= i; ++k) repeated.add(row, rows[i][2]);
  }
  const LinearFit one = least_squares(weighted, Intercept::fitted);
  const LinearFit other = least_squares(repeated, Intercept::fitted);
  CHECK(one.coefficients[0] == Approx(other.coefficients[0]).epsilon(1e-12));
  CHECK(one.coefficients[1] == Approx(other.coefficients[1]).epsilon(1e-12));
  CHECK(one.intercept == Approx(other.intercept).epsilon(1e-12));
  CHECK(one.sum_of_squares == Approx(other.sum_of_squares).epsilon(1e-12));
  CHECK(one.r2_centred == Approx(other.r2_centred).epsilon(1e-12));
}

TEST_CASE("columns of very different size are solved as well as equal ones") {
  // alpha + c sqrt(S) + S/beta in seconds and bytes: columns 1, 1e4 and 1e9 with coefficients 1e-5, 1e-9, 1e-11.
  Design design({"sqrt", "bytes"});
  for (double s = 1 << 10; s <= 1 << 30; s *= 2) design.add(std::vector{std::sqrt(s), s}, 1e-5 + 1e-9 * std::sqrt(s) + 1e-11 * s);
  const LinearFit fit = least_squares(design, Intercept::fitted);
  CHECK(fit.intercept == Approx(1e-5).epsilon(1e-8));
  CHECK(fit.coefficients[0] == Approx(1e-9).epsilon(1e-7));
  CHECK(fit.coefficients[1] == Approx(1e-11).epsilon(1e-10));
}

TEST_CASE("what the rows do not identify is named") {
  const auto message = [](const Design& design, Intercept intercept) {
    try {
      least_squares(design, intercept);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  Design collinear({"tin", "tout", "both"});
  for (int i = 0; i < 6; ++i) collinear.add(std::vector<double>{i * 1.0, i * i * 1.0, 2.0 * i}, i);
  CHECK_THAT(message(collinear, Intercept::none), Catch::Contains("tin, both") && !Catch::Contains("tout"));
  Design constant({"level", "x"});
  for (int i = 0; i < 6; ++i) constant.add(std::vector<double>{7, i * 1.0}, i);
  CHECK_THAT(message(constant, Intercept::fitted), Catch::Contains("level, intercept"));
  CHECK(message(constant, Intercept::none) == "no error");
  Design absent({"x", "never"});
  for (int i = 0; i < 6; ++i) absent.add(std::vector<double>{i + 1.0, 0}, i);
  CHECK_THAT(message(absent, Intercept::none), Catch::Contains("never"));
  Design few({"a", "b"});
  few.add(std::vector<double>{1, 2}, 3);
  CHECK_THAT(message(few, Intercept::none), Catch::Contains("1 row") && Catch::Contains("a, b"));
}

TEST_CASE("as many rows as parameters: exact, and errors are not known") {
  Design design({"x"});
  design.add(std::vector{1.0}, 2);
  design.add(std::vector{3.0}, 8);
  const LinearFit fit = least_squares(design, Intercept::fitted);
  CHECK(fit.coefficients[0] == Approx(3).epsilon(1e-14));
  CHECK(std::isinf(fit.covariance.standard_error(0)));
  CHECK(std::isinf(fit.covariance.interval(0, 3, 0.8).high));
}

TEST_CASE("intervals cover the truth as often as they say") {
  // 400 lines of 8 points with normal errors: an 80 % interval covers the true slope in 80 % of them, +- 4 standard errors (8 points).
  Stream stream(1, "cover", "test");
  int covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Design design({"x"});
    for (int i = 0; i < 8; ++i) design.add(std::vector<double>{i * 1.0}, 2 + 0.5 * i + stream.normal());
    const LinearFit fit = least_squares(design, Intercept::fitted);
    const Interval interval = fit.covariance.interval(0, fit.coefficients[0], 0.8);
    covered += interval.low <= 0.5 && 0.5 <= interval.high;
  }
  CHECK(covered > 400 * 0.72);
  CHECK(covered < 400 * 0.88);
}

TEST_CASE("non-negative least squares meets its optimality conditions") {
  // x >= 0, gradient A'(y - Ax) <= 0, and equal to 0 where x > 0: necessary and sufficient, the problem is convex.
  Stream stream(2, "nnls", "test");
  int at_zero = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Design design({"a", "b", "c", "d"});
    for (int i = 0; i < 12; ++i) {
      const std::vector<double> row{stream.uniform(), 1e3 * stream.uniform(), 1e-3 * stream.uniform(), stream.uniform()};
      design.add(row, row[0] - 1e-3 * row[1] + 0.5 * stream.normal(), 1 + stream.uniform());
    }
    const LinearFit fit = non_negative_least_squares(design, Intercept::none);
    for (std::size_t j = 0; j < 4; ++j) {
      REQUIRE(fit.coefficients[j] >= 0);
      double slope = 0;
      double length = 0;
      for (std::size_t i = 0; i < design.rows(); ++i) {
        const double row[] = {design.at(i, 0), design.at(i, 1), design.at(i, 2), design.at(i, 3)};
        slope += design.weight(i) * row[j] * (design.target(i) - fit.predict(row));
        length += design.weight(i) * row[j] * row[j];
      }
      slope /= std::sqrt(length);
      CHECK(slope < 1e-9);
      if (fit.coefficients[j] > 0) CHECK(std::abs(slope) < 1e-9);
      CHECK(fit.covariance.held(j) == (fit.coefficients[j] == 0));
      at_zero += fit.coefficients[j] == 0;
    }
  }
  CHECK(at_zero > 50);
  CHECK(at_zero < 150);
}

TEST_CASE("non-negative least squares is plain least squares where that is non-negative, and zero where all slopes fall") {
  Design rising({"x", "x2"});
  Design falling({"x"});
  for (int i = 1; i < 9; ++i) {
    rising.add(std::vector<double>{i * 1.0, i * i * 1.0}, 1 + 2.0 * i + 3.0 * i * i + (i % 2));
    falling.add(std::vector<double>{i * 1.0}, -i);
  }
  const LinearFit plain = least_squares(rising, Intercept::fitted);
  const LinearFit bounded = non_negative_least_squares(rising, Intercept::fitted);
  CHECK(bounded.coefficients[0] == Approx(plain.coefficients[0]).epsilon(1e-10));
  CHECK(bounded.intercept == Approx(plain.intercept).epsilon(1e-10));
  CHECK(bounded.covariance.standard_error(1) == Approx(plain.covariance.standard_error(1)).epsilon(1e-9));
  CHECK(non_negative_least_squares(falling, Intercept::none).coefficients[0] == 0);
}
