#include "control/length_prediction.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"

using namespace joulecast;
using control::LengthPrediction;
using control::LengthPredictor;

namespace {

LengthPredictor predictor(LengthPrediction::Kind kind, double error = 0, double mean = 0) {
  return {{kind, error}, mean, Stream(1, "traffic/chat", "length prediction")};
}

}  // namespace

TEST_CASE("The oracle tells the length itself, the mean the same for all") {
  auto oracle = predictor(LengthPrediction::Kind::oracle);
  auto mean = predictor(LengthPrediction::Kind::mean, 0, 211.5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(oracle.predict(i, static_cast<std::int32_t>(i + 1)) == i + 1);
    CHECK(mean.predict(i, static_cast<std::int32_t>(i + 1)) == 211.5);
  }
}

TEST_CASE("A relative error r gives predictions of mean the true length and of standard deviation r times it") {
  // n = 40,000 draws: the mean's standard error is r/200, that of the standard deviation is about r sqrt((kurtosis - 1)/4n), kurtosis of this
  // lognormal 6.3.
  const double r = 0.4;
  auto predict = predictor(LengthPrediction::Kind::relative_error, r);
  double sum = 0, squares = 0, logs = 0;
  const std::uint32_t n = 40000;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double factor = predict.predict(i, 1'000'000) / 1e6;
    sum += factor;
    squares += (factor - 1) * (factor - 1);
    logs += std::log(factor);
  }
  CHECK(std::abs(sum / n - 1) < 5 * r / std::sqrt(n));
  CHECK(std::abs(std::sqrt(squares / n) - r) < 5 * r * std::sqrt(5.3 / (4.0 * n)));
  // ln of a lognormal of mean 1: -s^2/2.
  CHECK(std::abs(logs / n + std::log1p(r * r) / 2) < 5 * std::sqrt(std::log1p(r * r) / n));
}

TEST_CASE("What is told of a request depends on its number alone, whichever requests came before") {
  auto all = predictor(LengthPrediction::Kind::relative_error, 0.4);
  auto some = predictor(LengthPrediction::Kind::relative_error, 0.4);
  for (std::uint32_t i = 0; i < 50; ++i) {
    const double told = all.predict(i, 300);
    if (i % 7 == 3) CHECK(some.predict(i, 300) == told);
  }
  CHECK_THROWS_AS(all.predict(10, 300), Bug);
}

TEST_CASE("A prediction is at least one token") {
  auto wild = predictor(LengthPrediction::Kind::relative_error, 10);
  double least = 10;
  for (std::uint32_t i = 0; i < 1000; ++i) least = std::min(least, wild.predict(i, 1));
  CHECK(least == 1);
}
