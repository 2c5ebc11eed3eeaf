#include <fmt/format.h>

#include "scenario/resolver.hpp"
#include "traces/grid/civil_time.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::scenario {

namespace {

constexpr std::int64_t kMinute = 60'000'000'000, kDay = 1440 * kMinute;
constexpr int kFirstYear = 1970, kLastYear = 2150;

}  // namespace

std::int64_t local_ns(const config::DateTime& date) {
  const auto midnight = traces::midnight_ns(date.year, date.month, date.day);
  return midnight.value_or(0) + ((date.hour * 60 + date.minute) * std::int64_t{60} + date.second) * 1'000'000'000 + date.nanosecond;
}

std::int64_t Start::local_ns_of_day() const { return ((ns + written.offset_minutes * kMinute) % kDay + kDay) % kDay; }

std::string Start::text() const { return config::write(config::Node(written, {})); }

void Resolver::start() {
  if (!file_.time.start) return;
  config::DateTime date = *file_.time.start;
  const Place& place = file_.time.place;
  if (date.year < kFirstYear || date.year > kLastYear) {
    diagnostics_.error(place, fmt::format("start is in the year {}", date.year), fmt::format("choose a year from {} to {}", kFirstYear, kLastYear));
    return;
  }
  if (!date.has_offset) {
    std::string zone_name;
    for (const auto& [name, site] : file_.site) {
      if (!zone_name.empty() && site.timezone != zone_name) {
        diagnostics_.error(place, "start has no offset, and the sites are in several time zones", "write it with one: 2026-03-02T00:00:00+01:00");
        return;
      }
      zone_name = site.timezone;
    }
    if (zone_name.empty()) {
      diagnostics_.error(place, "start has no offset, and the site has no timezone",
                         "write 2026-03-02T00:00:00+01:00, or add timezone = \"Europe/Berlin\" to the site");
      return;
    }
    if (!collecting([&] {
          const traces::Zone zone = traces::Zone::find(zone_name, place);
          const traces::LocalMoment moment = zone.moment(local_ns(date));
          if (moment.kind != traces::LocalMoment::Kind::unique) {
            const bool twice = moment.kind == traces::LocalMoment::Kind::twice;
            throw UserError(
                place, fmt::format("start, {}, {} in {}", traces::local_text(local_ns(date)), twice ? "comes twice" : "does not exist", zone_name),
                "write it with an offset: 2026-03-02T00:00:00+01:00");
          }
          date.offset_minutes = zone.offset_minutes(moment.first);
        })) {
      return;
    }
    date.has_offset = true;
  }
  scenario_.start = Start{date, local_ns(date) - date.offset_minutes * kMinute};
}

}  // namespace joulecast::scenario
