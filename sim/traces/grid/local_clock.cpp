#include "traces/grid/local_clock.hpp"

#include <fmt/format.h>

namespace joulecast::traces {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;

std::int64_t with_offset(const CivilTime& time) { return time.local_ns - *time.offset_minutes * kMinute; }

}  // namespace

void LocalClock::check_offset(const CivilTime& time, const Place& place) {
  const bool has = time.offset_minutes.has_value();
  if (!offsets_) offsets_ = has;
  if (has != *offsets_) {
    throw UserError(place, has ? "this time has an offset and the first row's has none" : "this time has no offset and the first row's has one",
                    "write all times of the file with an offset, or none");
  }
  if (!has && !zone_) {
    throw UserError(place, fmt::format("the time {} has no offset, and no timezone is stated", local_text(time.local_ns)),
                    "add timezone = \"UTC\", or the IANA zone in which the file's times are written, such as \"Europe/Berlin\"");
  }
}

std::int64_t LocalClock::chosen(const LocalMoment& moments, Pass pass) const {
  if (pass != Pass::by_order) return pass == Pass::first ? moments.first : moments.second;
  if (newest_first_) return last_ && moments.second >= *last_ ? moments.first : moments.second;
  return last_ && moments.first <= *last_ ? moments.second : moments.first;
}

std::int64_t LocalClock::moment(const CivilTime& time, Pass pass, const Place& place) {
  check_offset(time, place);
  std::int64_t now = 0;
  if (time.offset_minutes) {
    now = with_offset(time);
  } else {
    const LocalMoment moments = zone_->moment(time.local_ns);
    if (moments.kind == LocalMoment::Kind::never) {
      throw UserError(place,
                      fmt::format("the time {} does not exist in {}: clocks were set forward over it", local_text(time.local_ns), zone_->name()),
                      "correct the row, or state the zone in which the file is written (timezone = \"UTC\" or a fixed offset such as \"+01:00\")");
    }
    now = chosen(moments, pass);
  }
  if (last_ && now != *last_) newest_first_ = now < *last_;
  last_ = now;
  return now;
}

std::int64_t LocalClock::end_behind(std::int64_t start, const CivilTime& from, const CivilTime& time, const Place& place) const {
  if (time.offset_minutes) return with_offset(time);
  const LocalMoment moments = zone_->moment(time.local_ns), begun = zone_->moment(from.local_ns);
  const bool first_pass = begun.kind == LocalMoment::Kind::twice && start == begun.first;
  if (first_pass && moments.kind == LocalMoment::Kind::unique && time.local_ns > from.local_ns) return start + (time.local_ns - from.local_ns);
  const std::int64_t end = moments.first > start ? moments.first : moments.second;
  if (end > start) return end;
  throw UserError(place, fmt::format("the interval ends at {}, not behind its start", local_text(time.local_ns)), "correct the row");
}

}  // namespace joulecast::traces
