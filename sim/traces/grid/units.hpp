#pragma once

#include <string>

#include "base/error.hpp"

namespace joulecast::traces {

/// What one of a file's unit is in SI units: money per joule with its currency, or grams per joule.
struct RateUnit {
  double si = 0;
  std::string currency;  ///< "" of an emission

  bool is_price() const { return !currency.empty(); }
};

/// "EUR/MWh", "USD/kWh"; "g/kWh", "kg/MWh", "lb/MWh", also as files write them: "gCO2eq/kWh", "lbs/MWh". UserError for anything else.
RateUnit rate_unit(const std::string& unit, const Place& place);

}  // namespace joulecast::traces
