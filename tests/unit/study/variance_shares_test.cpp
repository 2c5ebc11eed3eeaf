// Shares of variance by source, against linear models whose shares are known.
#include "study/variance_shares.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "base/philox.hpp"

using namespace joulecast;
using namespace joulecast::study;

namespace {

struct Drawn {
  std::vector<std::vector<double>> normals;
  std::vector<double> values;
};

/// y = 3 z0 + 1 z1 + 0 z2 .. + noise*e + pair*z0*z1: shares 9, 1, 0 .. and noise^2 + pair^2 over their sum.
Drawn draws(std::size_t count, std::size_t sources, double noise, double pair = 0) {
  Stream random(11, "shares", "draws");
  Drawn drawn;
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<double> row;
    for (std::size_t s = 0; s < sources; ++s) row.push_back(random.normal());
    drawn.values.push_back(100 + 3 * row[0] + row[1] + noise * random.normal() + pair * row[0] * row[1]);
    drawn.normals.push_back(std::move(row));
  }
  return drawn;
}

double sum(const VarianceShares& shares) { return std::accumulate(shares.of_source.begin(), shares.of_source.end(), shares.unexplained); }

}  // namespace

TEST_CASE("Without noise a linear model's shares are its squared coefficients, and nothing is left") {
  const Drawn drawn = draws(4000, 4, 0);
  const VarianceShares shares = variance_shares(drawn.normals, drawn.values);
  CHECK(shares.all_at_once);
  CHECK(shares.of_source[0] == Approx(0.9).margin(0.02));
  CHECK(shares.of_source[1] == Approx(0.1).margin(0.01));
  CHECK(shares.of_source[2] == Approx(0).margin(1e-12));
  CHECK(sum(shares) == Approx(1));
}

TEST_CASE("Noise and what two sources do together are left unexplained") {
  // Variances 9, 1 and 10: of noise, or of noise 6 and the product 4.
  for (const auto& [noise, pair] : {std::pair{std::sqrt(10.0), 0.0}, std::pair{std::sqrt(6.0), 2.0}}) {
    const Drawn drawn = draws(4000, 4, noise, pair);
    const VarianceShares shares = variance_shares(drawn.normals, drawn.values);
    CHECK(shares.of_source[0] == Approx(0.45).margin(0.04));
    CHECK(shares.of_source[1] == Approx(0.05).margin(0.02));
    CHECK(shares.unexplained == Approx(0.5).margin(0.04));
    CHECK(sum(shares) == Approx(1));
  }
}

TEST_CASE("Of fewer draws than sources each is taken by itself, and chance is taken off") {
  const Drawn drawn = draws(30, 40, 0);
  const VarianceShares shares = variance_shares(drawn.normals, drawn.values);
  CHECK_FALSE(shares.all_at_once);
  CHECK(std::max_element(shares.of_source.begin(), shares.of_source.end()) == shares.of_source.begin());
  CHECK(sum(shares) == Approx(1));
}

TEST_CASE("A source without effect is not named: of 100 studies of noise at most a dozen name any of 25") {
  Stream random(13, "shares", "noise");
  int naming = 0;
  for (int study = 0; study < 100; ++study) {
    std::vector<std::vector<double>> normals(60);
    std::vector<double> values;
    for (auto& row : normals) {
      for (int s = 0; s < 25; ++s) row.push_back(random.normal());
      values.push_back(random.normal());
    }
    naming += variance_shares(normals, values).unexplained < 1 ? 1 : 0;
  }
  CHECK(naming <= 12);  // 5 are expected; 12 and more come once in 250
}

TEST_CASE("What never changes has no shares") {
  const Drawn drawn = draws(50, 3, 0);
  const VarianceShares shares = variance_shares(drawn.normals, std::vector<double>(50, 2.0));
  CHECK(sum(shares) == 0);
  const std::vector<std::vector<double>> of_none(3);
  CHECK(variance_shares(of_none, std::vector<double>{1, 2, 3}).unexplained == 1);
}
