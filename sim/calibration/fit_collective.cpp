#include "calibration/fit_collective.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::calibration {
namespace {

constexpr std::size_t kLeastRows = 10;
constexpr std::size_t kFolds = 5;

std::vector<double> columns(double bytes) { return {std::sqrt(bytes), bytes}; }

}  // namespace

CollectiveFit fit_collective(hardware::Collective collective, std::int64_t gpus, const std::vector<CollectiveRow>& rows) {
  const std::string what = fmt::format("{} among {} GPUs", name(collective), gpus);
  if (rows.size() < kLeastRows) {
    throw UserError({}, fmt::format("{}: {} sizes, too few for three figures and a held-out error", what, rows.size()),
                    fmt::format("give a table with at least {} sizes", kLeastRows));
  }
  fit::Design design({"root", "1/beta"});
  std::vector<double> measured;
  for (const CollectiveRow& row : rows) {
    design.add(columns(row.bytes), row.seconds, 1 / (row.seconds * row.seconds));
    measured.push_back(row.seconds);
  }
  const auto predicted = fit::held_out_predictions(rows.size(), kFolds, [&](std::span<const std::size_t> train, std::span<const std::size_t> test) {
    const auto fold = fit::non_negative_least_squares(design.only(train), fit::Intercept::fitted);
    std::vector<double> result;
    for (const std::size_t row : test) result.push_back(fold.predict(columns(rows[row].bytes)));
    return result;
  });
  const auto found = fit::non_negative_least_squares(design, fit::Intercept::fitted);
  if (found.coefficients[1] <= 0) {
    throw UserError({}, fmt::format("{}: the time does not grow with the bytes up to {:g}", what, rows.back().bytes),
                    "give a table that reaches sizes at which the bandwidth matters");
  }
  CollectiveFit fit;
  fit.collective = collective;
  fit.gpus = gpus;
  fit.alpha = found.intercept;
  fit.root = found.coefficients[0];
  fit.beta = 1 / found.coefficients[1];
  fit.covariance = found.covariance;
  fit.held_out = fit::relative_errors(predicted, measured);
  fit.least_bytes = rows.front().bytes;
  fit.most_bytes = rows.back().bytes;
  fit.rows = rows.size();
  return fit;
}

}  // namespace joulecast::calibration
