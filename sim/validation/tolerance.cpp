#include "validation/tolerance.hpp"

#include <charconv>
#include <cmath>

namespace joulecast::validation {
namespace {

void skip_spaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

std::optional<double> take_number(std::string_view& text) {
  skip_spaces(text);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  skip_spaces(text);
  return value;
}

/// The words after the numbers: what they are measured in; false where they are none that is known.
bool take_scale(std::string_view text, Tolerance& tolerance) {
  if (text == "points" || text == "point") {
    tolerance.scale = Tolerance::Scale::absolute;
  } else if (text == "%") {
    tolerance.below /= 100;
    tolerance.above /= 100;
  } else if (text.starts_with("standard errors")) {
    tolerance.scale = Tolerance::Scale::standard_errors;
  } else if (!text.empty()) {
    return false;
  }
  return true;
}

}  // namespace

std::optional<Tolerance> parse_tolerance(std::string_view text) {
  Tolerance tolerance;
  const std::optional<double> first = take_number(text);
  if (!first) return std::nullopt;
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    const std::optional<double> second = take_number(text);
    if (!second || *first > 0 || *second < 0) return std::nullopt;
    tolerance.below = -*first;
    tolerance.above = *second;
  } else {
    if (*first < 0) return std::nullopt;
    tolerance.below = tolerance.above = *first;
  }
  if (!take_scale(text, tolerance)) return std::nullopt;
  return tolerance;
}

bool Tolerance::holds(Ours ours, double expected, std::string_view unit) const {
  double step = 1;
  if (scale == Scale::standard_errors) step = ours.standard_error;
  if (scale == Scale::relative) step = expected != 0 ? std::abs(expected) : (unit == "%" ? 100 : 1);
  const double difference = ours.value - expected;
  return difference >= -below * step && difference <= above * step;
}

}  // namespace joulecast::validation
