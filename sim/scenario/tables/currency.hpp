#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/record.hpp"

namespace joulecast::scenario {

/// `[currency]`: what one of each other currency is in the base.
struct CurrencyTable {
  std::string base;  ///< "" where the scenario has no such table
  std::vector<std::pair<std::string, double>> rates;
  Place place;

  /// What one of `currency` is in the base; nullopt where that is not stated.
  std::optional<double> rate(const std::string& currency) const;
};

/// Reads `[currency] base = "USD", EUR = "1.08 USD"`.
CurrencyTable read_currency(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace joulecast::scenario
