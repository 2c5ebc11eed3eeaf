#pragma once

#include <optional>
#include <string>

#include "config/reads.hpp"
#include "hardware/figure.hpp"

namespace joulecast::hardware {

/// What is known of a GPU's price and making, where a source says it.
struct GpuPrice {
  std::optional<Figure<MoneyPerSecond>> rental;  ///< of one GPU
  std::string currency;                          ///< of the rental
  std::optional<Figure<Grams>> embodied_carbon;  ///< CO2e of making one
};

inline std::string price_file(const std::string& share) { return share + "/hardware_profiles/prices.toml"; }

/// The shipped price of a GPU by its profile's name; an empty one where the file has none. Throws UserError for a torn file.
GpuPrice load_price(const std::string& path, const std::string& gpu);

}  // namespace joulecast::hardware
