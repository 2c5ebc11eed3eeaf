#include "traces/grid/units.hpp"

#include <fmt/format.h>

#include <string_view>

#include "config/diagnostics.hpp"
#include "config/units.hpp"

namespace joulecast::traces {
namespace {

constexpr config::Dimension kMoneyPerEnergy{{-1, 0, 0, 0, 1, 0}};
constexpr config::Dimension kEmissionPerEnergy{{-1, 0, 0, 0, 0, 1}};

void erase(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
}

}  // namespace

RateUnit rate_unit(const std::string& unit, const Place& place) {
  std::string plain = unit;
  for (const std::string_view gas : {"CO\u2082eq", "CO2eq", "CO2e", "CO\u2082", "CO2", "_"}) erase(plain, gas);
  if (plain.rfind("lbs", 0) == 0) plain.erase(2, 1);
  for (const config::Dimension& dimension : {kMoneyPerEnergy, kEmissionPerEnergy}) {
    config::Diagnostics unheard;
    const auto measured = config::parse_measured("1 " + plain, dimension, place, unheard);
    if (measured && measured->per.empty()) return {measured->si, measured->currency};
  }
  throw UserError(place, fmt::format("\"{}\" is no unit of a price or of a carbon intensity", unit),
                  "write for example \"EUR/MWh\", \"USD/kWh\", \"g/kWh\", \"kg/MWh\" or \"lb/MWh\"");
}

}  // namespace joulecast::traces
