#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/token_table.hpp"
#include "fit/covariance.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {

/// Forms of what a request costs by its tokens in and out, y = joules or seconds.
enum class TokenForm : std::uint8_t {
  published,       ///< a0 tin + a1 tout + a2 tin tout, least squares, no constant: Wilkins, Keshav, Mortier, HotCarbon 2024
  intercept,       ///< the same with a constant
  output_squared,  ///< constant and a term in tout^2 (a decode step reads the context so far: sum_i (tin + i) = tin tout + tout^2/2), least squares
  relative         ///< the terms of output_squared, no coefficient below 0, least squares of the relative residuals (weights 1/y^2)
};
inline constexpr TokenForm kTokenForms[] = {TokenForm::published, TokenForm::intercept, TokenForm::output_squared, TokenForm::relative};
/// "published", "intercept", "output-squared", "relative".
std::string_view name(TokenForm form);
std::optional<TokenForm> token_form(std::string_view name);

/// y by the tokens of a request: constant + input tin + output tout + product tin tout + output_squared tout^2, all 0 where a form has no such term.
struct TokenTerms {
  double constant = 0, input = 0, output = 0, product = 0, output_squared = 0;
  double at(double tokens_in, double tokens_out) const;
};

struct TokenFit {
  TokenForm form = TokenForm::relative;
  TokenTerms terms;
  TokenTerms low, high;                     ///< 80 % intervals; both ends 0 where a form lacks the term or holds it at 0
  double r2_centred = 0, r2_uncentred = 0;  ///< 1 - SS/sum (y - mean)^2 and 1 - SS/sum y^2, residuals not weighted, whatever was fitted
  fit::RelativeErrors held_out;             ///< of rows whose lengths the fit had not seen
  std::size_t rows = 0, folds = 0;          ///< folds used for it
  std::size_t negative = 0;                 ///< measured lengths for which it is below 0
  double least_input = 0, most_input = 0, least_output = 0, most_output = 0;  ///< lengths that were measured: it holds between them
};

/// One measured figure at some lengths.
struct TokenPoint {
  double input = 0, output = 0, y = 0;
};
std::vector<TokenPoint> joules_of(const TokenSweep& sweep);
/// Empty unless every row has its seconds.
std::vector<TokenPoint> seconds_of(const TokenSweep& sweep);

/// Fits one form. Held-out errors: rows of one pair of lengths leave together, pair i (by rising tokens in, then out) in fold i % folds; as many folds
/// as pairs where there are fewer. Throws UserError where the lengths do not identify a term, naming it and what to measure. `what` names the sweep in
/// messages.
TokenFit fit_tokens(std::span<const TokenPoint> points, TokenForm form, std::size_t folds, const std::string& what);

}  // namespace joulecast::calibration
