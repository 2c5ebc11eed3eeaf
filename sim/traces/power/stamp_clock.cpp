#include "traces/power/stamp_clock.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace joulecast::traces {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;

}  // namespace

StampClock::StampClock(const std::string& zone, const Place& place) {
  if (!zone.empty()) zone_ = Zone::find(zone, place);
}

std::int64_t StampClock::moment(const CivilTime& time, const Place& place) {
  const bool has = time.offset_minutes.has_value();
  if (offsets_.value_or(has) != has) {
    throw UserError(place, has ? "this time has an offset and the first row's has none" : "this time has no offset and the first row's has one",
                    "write all times of the log with an offset, or none");
  }
  offsets_ = has;
  std::int64_t now = time.local_ns;
  if (has) {
    now -= *time.offset_minutes * kMinute;
  } else if (zone_) {
    const LocalMoment moments = zone_->moment(time.local_ns);
    if (moments.kind == LocalMoment::Kind::never) {
      throw UserError(place,
                      fmt::format("the time {} does not exist in {}: clocks were set forward over it", local_text(time.local_ns), zone_->name()),
                      "state the zone of the host that wrote the log: --timezone UTC, or another");
    }
    // A time that came twice: the pass that does not lie before the rows above.
    now = last_ && moments.first < *last_ - 30 * kMinute ? moments.second : moments.first;
  } else if (last_) {
    if (now <= *last_ - 30 * kMinute) {
      throw UserError(place, fmt::format("the time {} lies before the row above ({}), and no zone is declared", local_text(now), local_text(*last_)),
                      "declare the zone of the host's clock (--timezone Europe/Berlin): it may have been set back; or part logs that were joined");
    }
    jumped_ = jumped_ || (now - *last_ >= 59 * kMinute && now - *last_ <= 61 * kMinute);
  }
  last_ = last_ ? std::max(*last_, now) : now;
  return now;
}

}  // namespace joulecast::traces
