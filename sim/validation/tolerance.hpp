#pragma once

#include <optional>
#include <string_view>

namespace joulecast::validation {

/// What a comparison found: the figure in the row's unit, and its standard error where it is the mean of replications.
struct Ours {
  double value = 0;
  double standard_error = 0;
};

/// How far a figure may lie from what is expected of it.
struct Tolerance {
  enum class Scale : unsigned char { relative, absolute, standard_errors };
  double below = 0, above = 0;  ///< both at least 0; relative: shares of the expected
  Scale scale = Scale::relative;

  /// Bounds included. A relative tolerance of an expected 0 (the row is an error itself) is taken in the row's unit.
  bool holds(Ours ours, double expected, std::string_view unit) const;
};

/// Reads "8 %" and "1e-6" (relative), "0.05 points" (absolute, in the row's unit), "-0.3 +0 points" and "-1 +2 %" (a range below and above),
/// "3 standard errors ..." (of the figure's own mean). Nothing where the text is none of these.
std::optional<Tolerance> parse_tolerance(std::string_view text);

}  // namespace joulecast::validation
