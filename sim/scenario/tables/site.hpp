#pragma once

#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::scenario {

/// `[site.NAME]`.
struct SiteTable {
  double pue = 1;
  std::optional<config::Priced<MoneyPerJoule>> price;
  std::optional<GramsPerJoule> carbon;
  Place place;
};

config::Record<SiteTable> site_record();

}  // namespace joulecast::scenario
