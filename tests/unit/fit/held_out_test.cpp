// Folds that never see the row they predict, quantiles and Student's t against tables.
#include "fit/held_out.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "fit/covariance.hpp"

using namespace joulecast::fit;

TEST_CASE("every row is predicted once, by a fit that has not seen it") {
  std::vector<int> tested(11);
  const auto predictions = held_out_predictions(11, 3, [&](std::span<const std::size_t> train, std::span<const std::size_t> test) {
    std::vector<double> result;
    CHECK(train.size() + test.size() == 11);
    for (const std::size_t row : test) {
      CHECK(std::find(train.begin(), train.end(), row) == train.end());
      ++tested[row];
      result.push_back(10.0 * static_cast<double>(row));
    }
    return result;
  });
  CHECK(std::all_of(tested.begin(), tested.end(), [](int n) { return n == 1; }));
  CHECK(predictions[7] == 70);
}

TEST_CASE("rows of a group leave together") {
  const std::size_t group[] = {4, 4, 2, 2, 2, 9};
  std::vector<std::size_t> sizes;
  held_out_groups(group, [&](std::span<const std::size_t>, std::span<const std::size_t> test) {
    sizes.push_back(test.size());
    return std::vector<double>(test.size());
  });
  CHECK(sizes == std::vector<std::size_t>{3, 2, 1});
}

TEST_CASE("leave-one-out error of a mean is n/(n-1) of the residual") {
  const double y[] = {1, 2, 4, 9};
  const auto predicted = held_out_predictions(4, 4, [&](std::span<const std::size_t> train, std::span<const std::size_t>) {
    double sum = 0;
    for (const std::size_t row : train) sum += y[row];
    return std::vector{sum / static_cast<double>(train.size())};
  });
  for (std::size_t i = 0; i < 4; ++i) CHECK(y[i] - predicted[i] == Approx(4.0 / 3 * (y[i] - 4)).epsilon(1e-14));
}

TEST_CASE("quantiles and relative errors") {
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({4, 1, 2, 3}, 0.5) == 2.5);
  CHECK(quantile({0, 10}, 0.8) == Approx(8));
  const double predicted[] = {110, 95, 100, 120};
  const double measured[] = {100, 100, 100, 100};
  const RelativeErrors errors = relative_errors(predicted, measured);
  CHECK(errors.mean == Approx(0.0875));
  CHECK(errors.median == Approx(0.075));
  CHECK(errors.bias == Approx(0.0625));
  CHECK(errors.worst == Approx(0.2));
}

TEST_CASE("Student's t against tables") {
  // t(80 %, 1) = tan(0.4 pi); t(95 %, 10) and t(99 %, 30) from standard tables; the normal limit 1.2815515655.
  CHECK(student_t(0.8, 1) == Approx(3.0776835371752527).epsilon(1e-9));
  CHECK(student_t(0.95, 10) == Approx(2.2281388519649385).epsilon(1e-9));
  CHECK(student_t(0.99, 30) == Approx(2.749995653567231).epsilon(1e-9));
  CHECK(student_t(0.8, 1000000) == Approx(1.2815515655).epsilon(1e-5));
}
