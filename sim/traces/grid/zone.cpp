#include "traces/grid/zone.hpp"

#include <date/date.h>
#include <date/tz.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "config/node.hpp"

namespace joulecast::traces {
namespace {

using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;
constexpr std::int64_t kMinute = 60'000'000'000;

const date::time_zone& entry(const void* zone) { return *static_cast<const date::time_zone*>(zone); }

/// "+01:00", "-0330", "+5"; nullopt for anything else.
std::optional<int> fixed_offset(const std::string& name) {
  if (name == "UTC" || name == "Etc/UTC" || name == "GMT" || name == "Z") return 0;
  if (name.size() < 2 || (name.front() != '+' && name.front() != '-')) return std::nullopt;
  std::string digits;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (name[i] == ':' && i + 3 == name.size()) continue;
    if (name[i] < '0' || name[i] > '9') return std::nullopt;
    digits += name[i];
  }
  if (digits.empty() || digits.size() == 3 || digits.size() > 4) return std::nullopt;
  const int hours = std::stoi(digits.substr(0, 2)), rest = digits.size() == 4 ? std::stoi(digits.substr(2)) : 0;
  if (hours > 14 || rest > 59) return std::nullopt;
  return (name.front() == '-' ? -1 : 1) * (hours * 60 + rest);
}

/// The names of the system's database, for the nearest.
std::vector<std::string> known_names() {
  std::vector<std::string> names{"UTC"};
  try {
    for (const date::time_zone& zone : date::get_tzdb().zones) names.push_back(zone.name());
  } catch (const std::exception&) {
    // Without a database no name is near.
  }
  return names;
}

date::sys_time<nanoseconds> sys(std::int64_t ns) { return date::sys_time<nanoseconds>(nanoseconds(ns)); }
date::local_time<nanoseconds> local_point(std::int64_t ns) { return date::local_time<nanoseconds>(nanoseconds(ns)); }

/// A name that the database's reader may be handed: it opens the file of that name.
bool plausible(const std::string& name) {
  if (name.empty() || name.size() > 64 || name.find("..") != std::string::npos || name.front() == '/') return false;
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' || c == '+';
    if (!good) return false;
  }
  return true;
}

}  // namespace

Zone Zone::find(const std::string& name, const Place& place) {
  if (const auto fixed = fixed_offset(name)) return Zone(name, nullptr, *fixed);
  std::string near, reason;
  if (plausible(name)) {
    try {
      return Zone(name, date::locate_zone(name), 0);
    } catch (const std::exception&) {
      reason = "it is not in the system's database of IANA zones";
    }
  }
  near = config::nearest(name, known_names());
  throw UserError(place, fmt::format("there is no time zone \"{}\"{}{}", name, reason.empty() ? "" : ": ", reason),
                  (near.empty() ? std::string() : fmt::format("did you mean \"{}\"? ", near)) +
                      "write an IANA name such as \"Europe/Berlin\", \"UTC\" or a fixed offset such as \"+01:00\"");
}

LocalMoment Zone::moment(std::int64_t local_ns) const {
  if (zone_ == nullptr) {
    const std::int64_t utc = local_ns - fixed_minutes_ * kMinute;
    return {LocalMoment::Kind::unique, utc, utc};
  }
  const auto info = entry(zone_).get_info(local_point(local_ns));
  const auto with = [&](const date::sys_info& side) { return local_ns - std::chrono::duration_cast<nanoseconds>(side.offset).count(); };
  if (info.result == date::local_info::unique) return {LocalMoment::Kind::unique, with(info.first), with(info.first)};
  if (info.result == date::local_info::ambiguous) return {LocalMoment::Kind::twice, with(info.first), with(info.second)};
  const std::int64_t set_forward = std::chrono::duration_cast<nanoseconds>(info.second.begin.time_since_epoch()).count();
  return {LocalMoment::Kind::never, set_forward, set_forward};
}

int Zone::offset_minutes(std::int64_t utc_ns) const {
  if (zone_ == nullptr) return fixed_minutes_;
  return static_cast<int>(std::chrono::duration_cast<minutes>(entry(zone_).get_info(sys(utc_ns)).offset).count());
}

std::int64_t Zone::month_begin(std::int64_t utc_ns, int months_later) const {
  const auto day = date::floor<date::days>(local_point(local(utc_ns)));
  const date::year_month_day civil(day);
  const auto first = date::local_days((civil.year() / civil.month() + date::months(months_later)) / 1);
  return moment(std::chrono::duration_cast<nanoseconds>(first.time_since_epoch()).count()).first;
}

std::int64_t Zone::month_begin(std::int64_t utc_ns) const { return month_begin(utc_ns, 0); }
std::int64_t Zone::next_month_begin(std::int64_t utc_ns) const { return month_begin(utc_ns, 1); }

std::string local_text(std::int64_t local_ns) { return date::format("%F %T", date::floor<seconds>(local_point(local_ns))); }

}  // namespace joulecast::traces
