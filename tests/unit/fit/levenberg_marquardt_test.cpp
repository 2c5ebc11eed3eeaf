// Levenberg-Marquardt on problems whose optimum is known.
#include "fit/levenberg_marquardt.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

using namespace joulecast;
using namespace joulecast::fit;

TEST_CASE("a linear model gives what linear least squares gives, errors included") {
  const double y[] = {1, 3, 2, 5, 4};
  Design design({"x"});
  for (int i = 0; i < 5; ++i) design.add(std::vector{i + 1.0}, y[i]);
  const LinearFit linear = least_squares(design, Intercept::fitted);
  const NonlinearFit fit = levenberg_marquardt({{"slope", 1}, {"intercept", 0}}, 5, [&](std::span<const double> p, std::span<double> r) {
    for (int i = 0; i < 5; ++i) r[static_cast<std::size_t>(i)] = p[0] * (i + 1) + p[1] - y[i];
  });
  CHECK(fit.converged);
  CHECK(fit.parameters[0] == Approx(linear.coefficients[0]).epsilon(1e-7));
  CHECK(fit.parameters[1] == Approx(linear.intercept).epsilon(1e-7));
  CHECK(fit.sum_of_squares == Approx(linear.sum_of_squares).epsilon(1e-10));
  CHECK(fit.covariance.standard_error(0) == Approx(linear.covariance.standard_error(0)).epsilon(1e-6));
  CHECK(fit.covariance.at(0, 1) == Approx(linear.covariance.at(0, 1)).epsilon(1e-6));
}

TEST_CASE("Rosenbrock's valley leads to (1, 1)") {
  const NonlinearFit fit = levenberg_marquardt({{"x", -1.2}, {"y", 1}}, 2, [](std::span<const double> p, std::span<double> r) {
    r[0] = 10 * (p[1] - p[0] * p[0]);
    r[1] = 1 - p[0];
  });
  CHECK(fit.converged);
  CHECK(fit.parameters[0] == Approx(1).epsilon(1e-8));
  CHECK(fit.parameters[1] == Approx(1).epsilon(1e-8));
  CHECK(fit.iterations < 100);
}

TEST_CASE("a smooth roofline of parameters of very different size comes back from its own values") {
  // t = t0 + ((F/c)^p + (B/m)^p)^(1/p) with t0 = 3 us, c = 800 TFLOP/s, m = 2.8 TB/s, p = 2.4, from a start 30-100 % off.
  std::vector<double> flops, bytes, seconds;
  const auto model = [](std::span<const double> p, double f, double b) {
    return p[0] + std::pow(std::pow(f / p[1], p[3]) + std::pow(b / p[2], p[3]), 1 / p[3]);
  };
  const double truth[] = {3e-6, 8e14, 2.8e12, 2.4};
  for (double m = 64; m <= 8192; m *= 2) {
    for (double n = 1024; n <= 16384; n *= 2) {
      flops.push_back(2 * m * n * 4096);
      bytes.push_back(2 * (m * n + m * 4096 + n * 4096));
      seconds.push_back(model(truth, flops.back(), bytes.back()));
    }
  }
  const NonlinearFit fit = levenberg_marquardt({{"t0", 6e-6, 0}, {"c", 5e14, 1e12}, {"m", 2e12, 1e10}, {"p", 4, 1, 20}}, flops.size(),
                                               [&](std::span<const double> p, std::span<double> r) {
                                                 for (std::size_t i = 0; i < r.size(); ++i) r[i] = model(p, flops[i], bytes[i]) / seconds[i] - 1;
                                               });
  for (std::size_t j = 0; j < 4; ++j) CHECK(fit.parameters[j] == Approx(truth[j]).epsilon(1e-6));
}

TEST_CASE("a parameter that would leave its bounds is held there, without an error, and the rest is optimal") {
  // y = -1 + 2x fitted with intercept >= 0: slope = sum xy / sum x2.
  const NonlinearFit fit = levenberg_marquardt({{"slope", 1}, {"intercept", 3, 0}}, 5, [](std::span<const double> p, std::span<double> r) {
    for (int i = 0; i < 5; ++i) r[static_cast<std::size_t>(i)] = p[0] * i + p[1] - (2 * i - 1);
  });
  CHECK(fit.parameters[1] == 0);
  CHECK(fit.parameters[0] == Approx((2 * 30 - 10) / 30.0).epsilon(1e-8));
  CHECK(fit.covariance.held(1));
  CHECK(fit.covariance.standard_error(1) == 0);
  CHECK(fit.covariance.standard_error(0) > 0);
  CHECK(fit.covariance.degrees_of_freedom() == 4);
}

TEST_CASE("parameters that only act as a product are refused by name") {
  CHECK_THROWS_WITH(levenberg_marquardt({{"gain", 1}, {"area", 2}, {"offset", 0.5}}, 6,
                                        [](std::span<const double> p, std::span<double> r) {
                                          for (int i = 0; i < 6; ++i)
                                            r[static_cast<std::size_t>(i)] = p[0] * p[1] * i + p[2] - (3 * i + 1 + 0.1 * (i % 2));
                                        }),
                    Catch::Contains("gain, area") && !Catch::Contains("offset"));
}
