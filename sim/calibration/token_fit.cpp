#include "calibration/token_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "fit/least_squares.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kConfidence = 0.8;
constexpr std::array<std::string_view, 4> kNames{"published", "intercept", "output-squared", "relative"};

bool has_constant(TokenForm form) { return form != TokenForm::published; }
bool has_square(TokenForm form) { return form == TokenForm::output_squared || form == TokenForm::relative; }

std::vector<double> columns(TokenForm form, double in, double out) {
  std::vector<double> row{in, out, in * out};
  if (has_square(form)) row.push_back(out * out);
  return row;
}

fit::LinearFit solve(std::span<const TokenPoint> points, std::span<const std::size_t> chosen, TokenForm form) {
  std::vector<std::string> names{"tokens in", "tokens out", "tokens in x out"};
  if (has_square(form)) names.emplace_back("tokens out squared");
  fit::Design design(std::move(names));
  for (const std::size_t i : chosen) {
    const TokenPoint& p = points[i];
    design.add(columns(form, p.input, p.output), p.y, form == TokenForm::relative ? 1 / (p.y * p.y) : 1);
  }
  const auto intercept = has_constant(form) ? fit::Intercept::fitted : fit::Intercept::none;
  return form == TokenForm::relative ? fit::non_negative_least_squares(design, intercept) : fit::least_squares(design, intercept);
}

TokenTerms terms_of(TokenForm form, std::span<const double> coefficients, double constant) {
  return {constant, coefficients[0], coefficients[1], coefficients[2], has_square(form) ? coefficients[3] : 0};
}

/// Sorted pairs of lengths, each with its position.
std::map<std::pair<double, double>, std::size_t> pairs_of(std::span<const TokenPoint> points) {
  std::map<std::pair<double, double>, std::size_t> pairs;
  for (const TokenPoint& p : points) pairs[{p.input, p.output}] = 0;
  std::size_t next = 0;
  for (auto& pair : pairs) pair.second = next++;
  return pairs;
}

/// Refuses lengths that cannot tell the terms apart, by the term that is lost.
void check_lengths(std::span<const TokenPoint> points, TokenForm form, const std::string& what) {
  std::set<double> in, out;
  for (const TokenPoint& p : points) {
    in.insert(p.input);
    out.insert(p.output);
  }
  const auto refuse = [&](const std::string& lost, const std::string& measure) {
    throw UserError({}, fmt::format("{}: the sweep does not identify {} of the form \"{}\"", what, lost, name(form)), measure);
  };
  if (points.empty()) refuse("any term", "give rows");
  if (in.size() < 2) {
    refuse("the terms in tokens in and in their product with tokens out",
           fmt::format("every prompt has {} tokens: measure another length of prompt too, with the same lengths of answer", *in.begin()));
  }
  if (out.size() < 2) {
    refuse("the terms in tokens out and in their product with tokens in",
           fmt::format("every answer has {} tokens: measure another length of answer too, with the same lengths of prompt", *out.begin()));
  }
  if (has_square(form) && out.size() < 3) {
    refuse("the term in tokens out squared", "there are two lengths of answer: measure a third, between or far above them");
  }
  const std::size_t wanted = (has_constant(form) ? 4 : 3) + (has_square(form) ? 1 : 0);
  const std::size_t pairs = pairs_of(points).size();
  if (pairs < wanted) {
    refuse(fmt::format("{} terms from {} pairs of lengths", wanted, pairs), "measure each length of prompt with each length of answer");
  }
}

fit::RelativeErrors held_out_errors(std::span<const TokenPoint> points, TokenForm form, std::size_t folds) {
  const auto pairs = pairs_of(points);
  std::vector<std::size_t> group;
  std::vector<double> measured;
  for (const TokenPoint& p : points) {
    group.push_back(pairs.at({p.input, p.output}) % folds);
    measured.push_back(p.y);
  }
  const auto predicted = fit::held_out_groups(group, [&](std::span<const std::size_t> train, std::span<const std::size_t> test) {
    const fit::LinearFit fold = solve(points, train, form);
    std::vector<double> result;
    for (const std::size_t i : test) result.push_back(fold.predict(columns(form, points[i].input, points[i].output)));
    return result;
  });
  return fit::relative_errors(predicted, measured);
}

/// The ends of the intervals, 0 where a term is held.
void intervals(const fit::LinearFit& solved, TokenFit& result) {
  std::vector<double> low, high;
  const auto ends = [&](std::size_t i, double estimate) {
    const auto range = solved.covariance.held(i) ? fit::Interval{} : solved.covariance.interval(i, estimate, kConfidence);
    low.push_back(range.low);
    high.push_back(range.high);
  };
  const std::size_t n = solved.coefficients.size();
  for (std::size_t i = 0; i < n; ++i) ends(i, solved.coefficients[i]);
  if (has_constant(result.form)) ends(n, solved.intercept);
  result.low = terms_of(result.form, low, has_constant(result.form) ? low.back() : 0);
  result.high = terms_of(result.form, high, has_constant(result.form) ? high.back() : 0);
}

void goodness(std::span<const TokenPoint> points, TokenFit& result) {
  double sum = 0, squares = 0, residuals = 0;
  for (const TokenPoint& p : points) {
    const double predicted = result.terms.at(p.input, p.output);
    sum += p.y;
    squares += p.y * p.y;
    residuals += (p.y - predicted) * (p.y - predicted);
    if (predicted < 0) ++result.negative;
  }
  result.r2_uncentred = 1 - residuals / squares;
  result.r2_centred = 1 - residuals / (squares - sum * sum / static_cast<double>(points.size()));
}

std::vector<std::size_t> all_of(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  for (std::size_t i = 0; i < rows; ++i) all[i] = i;
  return all;
}

}  // namespace

std::string_view name(TokenForm form) { return kNames[static_cast<std::size_t>(form)]; }

std::optional<TokenForm> token_form(std::string_view name) {
  for (const TokenForm form : kTokenForms) {
    if (calibration::name(form) == name) return form;
  }
  return std::nullopt;
}

double TokenTerms::at(double tokens_in, double tokens_out) const {
  return constant + input * tokens_in + output * tokens_out + product * tokens_in * tokens_out + output_squared * tokens_out * tokens_out;
}

std::vector<TokenPoint> joules_of(const TokenSweep& sweep) {
  std::vector<TokenPoint> points;
  for (const TokenRow& row : sweep.rows) points.push_back({row.input, row.output, row.joules});
  return points;
}

std::vector<TokenPoint> seconds_of(const TokenSweep& sweep) {
  std::vector<TokenPoint> points;
  for (const TokenRow& row : sweep.rows) {
    if (!row.seconds) return {};
    points.push_back({row.input, row.output, *row.seconds});
  }
  return points;
}

TokenFit fit_tokens(std::span<const TokenPoint> points, TokenForm form, std::size_t folds, const std::string& what) {
  JOULECAST_CHECK(folds >= 2, "held-out errors need two folds");
  check_lengths(points, form, what);
  TokenFit result;
  result.form = form;
  result.rows = points.size();
  result.folds = std::min(folds, pairs_of(points).size());
  const auto told = [&](auto&& work, const char* of) {
    try {
      work();
    } catch (const UserError& error) {
      throw UserError({}, fmt::format("{}, form \"{}\"{}: {}", what, name(form), of, error.faults().front().what),
                      "measure each length of prompt with each length of answer, at least three of either");
    }
  };
  fit::LinearFit solved;
  told([&] { solved = solve(points, all_of(points.size()), form); }, "");
  told([&] { result.held_out = held_out_errors(points, form, result.folds); }, " without the rows held out");
  result.terms = terms_of(form, solved.coefficients, solved.intercept);
  intervals(solved, result);
  goodness(points, result);
  result.least_input = result.most_input = points.front().input;
  result.least_output = result.most_output = points.front().output;
  for (const TokenPoint& p : points) {
    result.least_input = std::min(result.least_input, p.input);
    result.most_input = std::max(result.most_input, p.input);
    result.least_output = std::min(result.least_output, p.output);
    result.most_output = std::max(result.most_output, p.output);
  }
  return result;
}

}  // namespace joulecast::calibration
