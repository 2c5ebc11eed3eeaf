#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace joulecast::config {

/// A text that is a number with a unit, whatever its dimension.
struct QuantityText {
  double number = 0;    ///< as written
  std::string unit;     ///< as written: "MHz", "%"
  double si = 0;        ///< in SI base units; a share as 0 .. 1
  std::string si_unit;  ///< "Hz", "1" for a share, "USD/J" for money
};

/// "1410 MHz" as 1410, "MHz", 1.41e9, "Hz"; nullopt for any other text.
std::optional<QuantityText> quantity_of(std::string_view text);

}  // namespace joulecast::config
