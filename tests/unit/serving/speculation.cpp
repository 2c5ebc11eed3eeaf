#include "serving/speculation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast::serving;

namespace {

Speculation drafting(std::int64_t tokens, double acceptance_rate, std::uint64_t seed = 1) {
  return {Speculation::Method::ngram, tokens, acceptance_rate, seed};
}

}  // namespace

TEST_CASE("expected tokens of a step are (1 - a^(k + 1)) / (1 - a), k + 1 where every draft is right") {
  for (const double a : {0.0, 0.3, 0.8}) {
    for (const std::int64_t k : {1, 3, 7}) {
      CHECK(drafting(k, a).expected_tokens() == Approx((1 - std::pow(a, static_cast<double>(k + 1))) / (1 - a)).epsilon(1e-12));
    }
  }
  CHECK(drafting(5, 1).expected_tokens() == 6);
}

TEST_CASE("the mean of 200,000 draws lies within 4 standard errors of the expectation, and P(at least i kept) is a^i") {
  const Speculation speculation = drafting(4, 0.7);
  constexpr int kDraws = 200'000;
  double sum = 0, squares = 0;
  int all_kept = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto tokens = speculation.tokens_of_step(static_cast<std::uint64_t>(i) / 100, static_cast<std::uint32_t>(i % 100));
    REQUIRE(tokens >= 1);
    REQUIRE(tokens <= 5);
    sum += static_cast<double>(tokens);
    squares += static_cast<double>(tokens * tokens);
    all_kept += tokens == 5;
  }
  const double mean = sum / kDraws, deviation = std::sqrt(squares / kDraws - mean * mean);
  CHECK(std::abs(mean - speculation.expected_tokens()) < 4 * deviation / std::sqrt(kDraws));
  const double p = std::pow(0.7, 4);
  CHECK(std::abs(static_cast<double>(all_kept) / kDraws - p) < 4 * std::sqrt(p * (1 - p) / kDraws));
}

TEST_CASE("a draw belongs to a request and its step, and to the seed") {
  const Speculation one = drafting(8, 0.9, 1), other = drafting(8, 0.9, 2);
  int differ = 0;
  for (std::uint32_t step = 0; step < 100; ++step) {
    CHECK(one.tokens_of_step(7, step) == one.tokens_of_step(7, step));
    differ += one.tokens_of_step(7, step) != other.tokens_of_step(7, step);
  }
  CHECK(differ > 20);
  CHECK(drafting(3, 1).tokens_of_step(1, 1) == 4);
  CHECK(drafting(3, 0).tokens_of_step(1, 1) == 1);
}
