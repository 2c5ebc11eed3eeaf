#include "traces/grid/civil_time.hpp"

#include <date/date.h>

#include <array>
#include <chrono>

namespace joulecast::traces {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Reads a text from the left; a part that is not there leaves it as it was.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  char front() const { return text_.empty() ? '\0' : text_.front(); }
  bool take(char c) {
    if (front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void blanks() {
    while (front() == ' ') text_.remove_prefix(1);
  }
  /// A whole number of `least` to `most` digits.
  std::optional<int> number(std::size_t least, std::size_t most) {
    std::size_t digits = 0;
    int value = 0;
    while (digits < most && digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') value = value * 10 + (text_[digits++] - '0');
    if (digits < least) return std::nullopt;
    text_.remove_prefix(digits);
    return value;
  }
  /// The decimals behind a point, as nanoseconds.
  std::optional<std::int64_t> decimals() {
    std::int64_t value = 0, unit = kSecond;
    bool any = false;
    while (front() >= '0' && front() <= '9') {
      unit /= 10;
      value += unit * (text_.front() - '0');
      any = true;
      text_.remove_prefix(1);
    }
    if (!any) return std::nullopt;
    return value;
  }
  /// "AM" or "PM" in any case: 0 or 12.
  std::optional<int> half_of_day() {
    if (text_.size() < 2 || (text_[1] != 'M' && text_[1] != 'm')) return std::nullopt;
    const char c = text_[0];
    if (c != 'A' && c != 'a' && c != 'P' && c != 'p') return std::nullopt;
    text_.remove_prefix(2);
    return c == 'A' || c == 'a' ? 0 : 12;
  }

 private:
  std::string_view text_;
};

std::optional<std::int64_t> read_date(Cursor& text, DateOrder order) {
  std::array<int, 3> parts{};
  char separator = '\0';
  for (std::size_t i = 0; i < 3; ++i) {
    const bool year = order == DateOrder::ymd ? i == 0 : i == 2;
    const auto part = text.number(year ? 4 : 1, year ? 4 : 2);
    if (!part) return std::nullopt;
    parts[i] = *part;
    if (i == 2) break;
    if (i == 0) separator = text.front();
    if ((separator != '-' && separator != '/' && separator != '.') || !text.take(separator)) return std::nullopt;
  }
  switch (order) {
    case DateOrder::ymd:
      return midnight_ns(parts[0], parts[1], parts[2]);
    case DateOrder::dmy:
      return midnight_ns(parts[2], parts[1], parts[0]);
    default:
      return midnight_ns(parts[2], parts[0], parts[1]);
  }
}

/// Nanoseconds since midnight.
std::optional<std::int64_t> read_time(Cursor& text) {
  auto hour = text.number(1, 2);
  if (!hour || !text.take(':')) return std::nullopt;
  const auto minute = text.number(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t second = 0;
  if (text.take(':')) {
    const auto whole = text.number(2, 2);
    if (!whole || *whole > 59) return std::nullopt;
    second = *whole * kSecond;
    if (text.take('.')) {
      const auto rest = text.decimals();
      if (!rest) return std::nullopt;
      second += *rest;
    }
  }
  text.blanks();
  if (const auto half = text.half_of_day()) {
    if (*hour < 1 || *hour > 12) return std::nullopt;
    hour = *hour % 12 + *half;
  }
  if (*hour > 24 || (*hour == 24 && (*minute != 0 || second != 0))) return std::nullopt;
  return (*hour * 60 + *minute) * 60 * kSecond + second;
}

/// False where what stands behind the time is no offset.
bool read_offset(Cursor& text, std::optional<int>& minutes) {
  text.blanks();
  if (text.done()) return true;
  if (text.take('Z') || text.take('z')) {
    minutes = 0;
    return text.done();
  }
  const int sign = text.front() == '-' ? -1 : 1;
  if (!text.take('+') && !text.take('-')) return false;
  const auto hours = text.number(2, 2);
  if (!hours || *hours > 14) return false;
  int rest = 0;
  if (!text.done()) {
    text.take(':');
    const auto written = text.number(2, 2);
    if (!written || *written > 59) return false;
    rest = *written;
  }
  minutes = sign * (*hours * 60 + rest);
  return text.done();
}

}  // namespace

std::optional<std::int64_t> midnight_ns(int year, int month, int day) {
  if (year < 1950 || year > 2150 || month < 1 || month > 12 || day < 1) return std::nullopt;
  const date::year_month_day civil{date::year(year), date::month(static_cast<unsigned>(month)), date::day(static_cast<unsigned>(day))};
  if (!civil.ok()) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(date::sys_days(civil).time_since_epoch()).count();
}

std::optional<CivilTime> read_civil(std::string_view text, DateOrder order) {
  Cursor cursor(text);
  const auto day = read_date(cursor, order);
  if (!day) return std::nullopt;
  CivilTime civil{*day, std::nullopt};
  if (cursor.done()) return civil;
  if (!cursor.take('T') && !cursor.take('t')) {
    if (cursor.front() != ' ') return std::nullopt;
    cursor.blanks();
  }
  const auto time = read_time(cursor);
  if (!time) return std::nullopt;
  civil.local_ns += *time;
  if (!read_offset(cursor, civil.offset_minutes)) return std::nullopt;
  return civil;
}

}  // namespace joulecast::traces
