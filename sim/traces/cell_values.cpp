#include "traces/cell_values.hpp"

#include <charconv>
#include <limits>

#include "base/fixed.hpp"

namespace joulecast::traces {
namespace {

constexpr std::int64_t kMostNs = 4'000'000'000'000'000'000;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads pairs of digits and remembers whether all were digits.
struct Digits {
  bool good = true;

  int two(const char* p) {
    const int tens = p[0] - '0', ones = p[1] - '0';
    good = good && static_cast<unsigned>(tens) <= 9 && static_cast<unsigned>(ones) <= 9;
    return tens * 10 + ones;
  }
};

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// days_from_civil).
constexpr std::int64_t days_from_civil(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 : year;
  const int era = y / 400;
  const int year_of_era = y - era * 400;
  const int day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return std::int64_t{era} * 146097 + day_of_era - 719468;
}

constexpr int days_in_month(int year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : days[month - 1];
}

constexpr std::string_view kShape = "dddd-dd-dd dd:dd:dd";

/// Whether a text shorter than a date and time is the beginning of one.
bool begins_a_date(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char want = kShape[i];
    const char c = text[i];
    const bool right = want == 'd' ? is_digit(c) : want == ' ' ? (c == ' ' || c == 'T' || c == 't') : c == want;
    if (!right) return false;
  }
  return true;
}

/// The zone behind a time: "", "Z", "+hh", "+hhmm" or "+hh:mm".
Reading read_offset(std::string_view text, int& minutes, bool& has_offset) {
  minutes = 0;
  has_offset = !text.empty();
  if (text.empty() || text == "Z" || text == "z") return Reading::good;
  if (text.front() != '+' && text.front() != '-') return Reading::wrong;
  const bool colon = text.size() > 3 && text[3] == ':';
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (!is_digit(text[i]) && !(i == 3 && colon)) return Reading::wrong;
  }
  const std::size_t whole = colon ? 6 : 5;
  if (text.size() > whole) return Reading::wrong;
  if (text.size() != 3 && text.size() != whole) return Reading::cut;
  Digits digits;
  const int hours = digits.two(text.data() + 1);
  const int rest = text.size() == 3 ? 0 : digits.two(text.data() + whole - 2);
  if (hours > 14 || rest > 59) return Reading::wrong;
  minutes = (text.front() == '-' ? -1 : 1) * (hours * 60 + rest);
  return Reading::good;
}

}  // namespace

Reading read_tokens(std::string_view text, std::int32_t& tokens) {
  if (text.empty()) return Reading::cut;
  if (!is_digit(text.front())) return Reading::wrong;
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value > std::numeric_limits<std::int32_t>::max()) return Reading::wrong;
  tokens = static_cast<std::int32_t>(value);
  return Reading::good;
}

Reading read_decimal_ns(std::string_view text, int exponent, std::int64_t& ns) {
  constexpr int kDigits = 30;
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  int128 mantissa = 0;
  int digits = 0, power = exponent;
  bool any = false, point = false;
  for (; p != end; ++p) {
    if (*p == '.' && !point) {
      point = true;
    } else if (is_digit(*p)) {
      any = true;
      if (digits < kDigits) {
        mantissa = mantissa * 10 + (*p - '0');
        if (mantissa != 0) ++digits;
        if (point) --power;
      } else if (!point) {
        ++power;
      }
    } else {
      break;
    }
  }
  if (p == end) {
    if (!any || text.back() == '.') return Reading::cut;
  } else {
    if (!any || (*p != 'e' && *p != 'E')) return Reading::wrong;
    ++p;
    if (p != end && *p == '+' && p + 1 != end && p[1] != '-') ++p;
    if (p == end || (p + 1 == end && (*p == '-' || *p == '+'))) return Reading::cut;
    int written = 0;
    const auto [stop, error] = std::from_chars(p, end, written);
    if (error != std::errc() || stop != end || written > 1000 || written < -1000) return Reading::wrong;
    power += written;
  }
  if (mantissa == 0) power = 0;
  for (; power > 0 && mantissa <= kMostNs; --power) mantissa *= 10;
  if (power > 0) return Reading::wrong;
  if (power < -kDigits) {
    mantissa = 0;
  } else if (power < 0) {
    int128 divisor = 1;
    for (; power < 0; ++power) divisor *= 10;
    mantissa = (mantissa + divisor / 2) / divisor;
  }
  if (mantissa > kMostNs) return Reading::wrong;
  ns = static_cast<std::int64_t>(negative ? -mantissa : mantissa);
  return Reading::good;
}

Reading read_datetime_ns(std::string_view text, std::int64_t& ns, bool& has_offset) {
  if (text.size() < kShape.size()) return begins_a_date(text) ? Reading::cut : Reading::wrong;
  const char* p = text.data();
  Digits digits;
  const int year = digits.two(p) * 100 + digits.two(p + 2), month = digits.two(p + 5), day = digits.two(p + 8);
  const int hour = digits.two(p + 11), minute = digits.two(p + 14), second = digits.two(p + 17);
  if (!digits.good || p[4] != '-' || p[7] != '-' || (p[10] != ' ' && p[10] != 'T' && p[10] != 't') || p[13] != ':' || p[16] != ':') {
    return Reading::wrong;
  }
  if (year < 1900 || year > 2090 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return Reading::wrong;
  if (hour > 23 || minute > 59 || second > 59) return Reading::wrong;

  std::size_t at = kShape.size();
  std::int64_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    int decimals = 0;
    for (++at; at < text.size() && is_digit(text[at]); ++at) {
      if (decimals == 9) continue;
      fraction = fraction * 10 + (text[at] - '0');
      ++decimals;
    }
    if (decimals == 0) return at == text.size() ? Reading::cut : Reading::wrong;
    for (; decimals < 9; ++decimals) fraction *= 10;
  }
  int offset_minutes = 0;
  const Reading zone = read_offset(text.substr(at), offset_minutes, has_offset);
  if (zone != Reading::good) return zone;
  const std::int64_t seconds = days_from_civil(year, month, day) * 86400 + hour * 3600 + (minute - offset_minutes) * 60 + second;
  ns = seconds * 1'000'000'000 + fraction;
  return Reading::good;
}

}  // namespace joulecast::traces
