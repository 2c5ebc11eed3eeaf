#include "scenario/tables/site.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

Record<SiteTable> site_record() {
  Record<SiteTable> record("site");
  record.place(&SiteTable::place)
      .required("pue", &SiteTable::pue, Bounds::between(1, 10), "facility energy over IT energy")
      .optional("price", &SiteTable::price, "absent: no cost of energy", Bounds::any(), "price of energy, constant: \"0.08 USD/kWh\"")
      .optional("carbon", &SiteTable::carbon, "absent: no carbon", Bounds::not_negative(), "carbon intensity, constant: \"380 g/kWh\"")
      .later("timezone", "IANA zone of local times");
  return record;
}

}  // namespace joulecast::scenario
