#include "hardware/serving_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast::hardware;

TEST_CASE("a residual is exact at its points, geometric between them, and fades beyond") {
  const ServingResidual residual({{64, 1.2, 0.9}, {16, 0.8, 1.1}});
  CHECK(residual.at(16).seconds_ratio == Approx(0.8));
  CHECK(residual.at(64).watts_ratio == Approx(0.9));
  // ln 32 lies half-way between ln 16 and ln 64.
  CHECK(residual.at(32).seconds_ratio == Approx(std::sqrt(0.8 * 1.2)));
  CHECK(residual.at(32).watts_ratio == Approx(std::sqrt(1.1 * 0.9)));
  // e^2 times the last batch: 1/e of its logarithm.
  CHECK(residual.at(64 * std::exp(2.0)).seconds_ratio == Approx(std::exp(std::log(1.2) / std::exp(1.0))));
  CHECK(residual.at(1e9).seconds_ratio == Approx(1).epsilon(1e-3));
  CHECK(ServingResidual().at(8).seconds_ratio == 1);
}
