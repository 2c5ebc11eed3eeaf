#include "base/philox.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

using namespace joulecast;

namespace {

using Block = std::array<std::uint32_t, 4>;

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(int count, const std::function<double()>& draw) {
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

}  // namespace

TEST_CASE("Philox4x32-10 gives the known answers of Random123's kat_vectors") {
  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox4x32({ones, ones, ones, ones}, {ones, ones}) == Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream depends on seed, name and purpose and on nothing else") {
  const auto first = [](std::uint64_t seed, const char* name, const char* purpose) {
    Stream stream(seed, name, purpose);
    std::vector<std::uint64_t> words;
    for (int i = 0; i < 9; ++i) words.push_back(stream.next());
    return words;
  };
  const auto words = first(1, "pool.chat", "arrivals");
  CHECK(words == first(1, "pool.chat", "arrivals"));
  CHECK(words != first(2, "pool.chat", "arrivals"));
  CHECK(words != first(1, "pool.code", "arrivals"));
  CHECK(words != first(1, "pool.chat", "lengths"));
  CHECK(first(1, "a", "b") != first(1, "b", "a"));
}

TEST_CASE("below() is uniform, also where the bound does not divide 2^64") {
  Stream stream(3, "dice", "test");
  constexpr int sides = 7, throws = 70000;
  std::array<int, sides> seen{};
  for (int i = 0; i < throws; ++i) ++seen[stream.below(sides)];
  double chi2 = 0;
  for (const int count : seen) chi2 += std::pow(count - throws / sides, 2) / (throws / sides);
  CHECK(chi2 < 6 + 5 * std::sqrt(12.0));  // mean and standard deviation of chi-squared with 6 degrees of freedom

  // With the bound 3 * 2^62 a plain remainder would put half of the draws in the first third.
  const std::uint64_t bound = 3ULL << 62;
  int first_third = 0;
  for (int i = 0; i < throws; ++i) {
    const std::uint64_t value = stream.below(bound);
    REQUIRE(value < bound);
    first_third += value < (1ULL << 62) ? 1 : 0;
  }
  CHECK(std::abs(first_third - throws / 3.0) < 5 * std::sqrt(throws * 2.0 / 9));
  CHECK(stream.below(1) == 0);
}

// The mean of n draws has variance V/n, their variance about (mu4 - V^2)/n; each must lie within five standard errors.
TEST_CASE("mean and variance of the distributions") {
  constexpr int count = 200000;
  const double root = std::sqrt(static_cast<double>(count));

  SECTION("uniform: 1/2, 1/12, fourth moment 1/80") {
    Stream stream(5, "uniform", "test");
    const Moments got = moments(count, [&] { return stream.uniform(); });
    CHECK(std::abs(got.mean - 0.5) < 5 * std::sqrt(1.0 / 12) / root);
    CHECK(std::abs(got.variance - 1.0 / 12) < 5 * std::sqrt(1.0 / 80 - 1.0 / 144) / root);
  }
  SECTION("exponential: 1, 1, fourth moment 9") {
    Stream stream(5, "exponential", "test");
    const Moments got = moments(count, [&] { return stream.exponential(); });
    CHECK(std::abs(got.mean - 1) < 5 / root);
    CHECK(std::abs(got.variance - 1) < 5 * std::sqrt(8.0) / root);
  }
  SECTION("normal: 0, 1, fourth moment 3") {
    Stream stream(5, "normal", "test");
    const Moments got = moments(count, [&] { return stream.normal(); });
    CHECK(std::abs(got.mean) < 5 / root);
    CHECK(std::abs(got.variance - 1) < 5 * std::sqrt(2.0) / root);
  }
  SECTION("gamma of mean 1: variance 1/k, fourth moment (3 + 6/k)/k^2") {
    for (const double shape : {0.2, 0.5, 1.0, 2.5, 40.0}) {
      Stream stream(5, "gamma", "test");
      const Moments got = moments(count, [&] { return stream.gamma(shape); });
      const double variance = 1 / shape;
      const double fourth = (3 + 6 / shape) * variance * variance;
      CHECK(std::abs(got.mean - 1) < 5 * std::sqrt(variance) / root);
      CHECK(std::abs(got.variance - variance) < 5 * std::sqrt(fourth - variance * variance) / root);
    }
  }
}
