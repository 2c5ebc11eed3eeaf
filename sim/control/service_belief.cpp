#include "control/service_belief.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "fit/least_squares.hpp"

namespace joulecast::control {
namespace {

/// base, first and second figure of y = base + first x0 + second x1. Where all rows have one x0, it can't be told from the base: its figure is 0.
template <class Row, class Columns, class Value>
std::array<double, 3> fit_line(std::span<const Row> rows, std::vector<std::string> names, const Columns& columns, const Value& value) {
  const bool one = std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return columns(row)[0] == columns(rows.front())[0]; });
  if (one) names.erase(names.begin());
  fit::Design design(std::move(names));
  for (const Row& row : rows) {
    const double y = value(row);
    const std::array<double, 2> x = columns(row);
    design.add(std::span(x).subspan(one ? 1 : 0), y, 1 / (y * y));
  }
  const fit::LinearFit fitted = fit::non_negative_least_squares(design, fit::Intercept::fitted);
  if (one) return {fitted.intercept, 0, fitted.coefficients[0]};
  return {fitted.intercept, fitted.coefficients[0], fitted.coefficients[1]};
}

}  // namespace

double ServiceBelief::added_joules(double tokens_in, double tokens_out, double running, double context) const {
  // The request's own context grows from its prompt to its end; the mean counts.
  const double own = tokens_in + tokens_out / 2;
  const double with = step_joules.at(running + 1, running * context + own);
  const double without = running > 0 ? step_joules.at(running, running * context) : idle_watts * step_seconds.at(1, own);
  return prompt_joules.at(tokens_in) + tokens_out / tokens_a_step * std::max(0.0, with - without);
}

ServiceBelief fit_service_belief(std::span<const ProfiledStep> steps, std::span<const ProfiledPrompt> prompts, double idle_watts) {
  const auto step = [&](double ProfiledStep::*value) {
    const auto [base, sequence, context] = fit_line(
        steps, {"sequences", "context"},
        [](const ProfiledStep& row) {
          return std::array{row.sequences, row.context};
        },
        [&](const ProfiledStep& row) { return row.*value; });
    return ServiceBelief::Step{base, sequence, context};
  };
  const auto prompt = [&](double ProfiledPrompt::*value) {
    const auto [base, token, square] = fit_line(
        prompts, {"tokens", "tokens squared"},
        [](const ProfiledPrompt& row) {
          return std::array{row.tokens, row.tokens * row.tokens};
        },
        [&](const ProfiledPrompt& row) { return row.*value; });
    return ServiceBelief::Prompt{base, token, square};
  };
  ServiceBelief belief{
      step(&ProfiledStep::seconds), step(&ProfiledStep::joules), prompt(&ProfiledPrompt::seconds), prompt(&ProfiledPrompt::joules), idle_watts, 0};
  double squares = 0;
  for (const ProfiledStep& row : steps) {
    const double off = belief.step_seconds.at(row.sequences, row.context) / row.seconds - 1;
    squares += off * off;
  }
  belief.error = std::sqrt(squares / static_cast<double>(steps.size()));
  return belief;
}

}  // namespace joulecast::control
