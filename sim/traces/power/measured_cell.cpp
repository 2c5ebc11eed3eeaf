#include "traces/power/measured_cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "traces/cell_values.hpp"
#include "traces/power/number_cells.hpp"

namespace joulecast::traces {
namespace {

struct Unit {
  std::string_view text;
  Dimension dimension;
  double factor;
};

constexpr Unit kUnits[] = {{"W", Dimension::power, 1},
                           {"mW", Dimension::power, 1e-3},
                           {"kW", Dimension::power, 1e3},
                           {"uW", Dimension::power, 1e-6},
                           {"Watts", Dimension::power, 1},
                           {"J", Dimension::energy, 1},
                           {"mJ", Dimension::energy, 1e-3},
                           {"uJ", Dimension::energy, 1e-6},
                           {"kJ", Dimension::energy, 1e3},
                           {"MJ", Dimension::energy, 1e6},
                           {"Wh", Dimension::energy, 3600},
                           {"mWh", Dimension::energy, 3.6},
                           {"kWh", Dimension::energy, 3.6e6},
                           {"Hz", Dimension::frequency, 1},
                           {"kHz", Dimension::frequency, 1e3},
                           {"MHz", Dimension::frequency, 1e6},
                           {"GHz", Dimension::frequency, 1e9},
                           {"%", Dimension::share, 0.01},
                           {"C", Dimension::temperature, 1},
                           {"B", Dimension::memory, 1},
                           {"KiB", Dimension::memory, 1024},
                           {"MiB", Dimension::memory, 1048576},
                           {"GiB", Dimension::memory, 1073741824},
                           {"kB", Dimension::memory, 1e3},
                           {"MB", Dimension::memory, 1e6},
                           {"GB", Dimension::memory, 1e9},
                           {"s", Dimension::time, 1},
                           {"ms", Dimension::time, 1e-3},
                           {"us", Dimension::time, 1e-6},
                           {"ns", Dimension::time, 1e-9}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

/// Units are written in any case, but "m" is a thousandth and "M" a million.
bool same_unit(std::string_view a, std::string_view b) { return lowered(a) == lowered(b) && (a.empty() || (a[0] == 'M') == (b[0] == 'M')); }

/// DCGM's blanks and their reasons (dcgm_structs.h: DCGM_INT32_BLANK, DCGM_INT64_BLANK, DCGM_FP64_BLANK, each + 0 .. 3), and counters at their limits.
bool stands_for_none(double value, std::string_view digits) {
  constexpr double kBlank32 = 2147483632, kBlankFloat = 140737488355328;
  if (value >= kBlank32 && value <= kBlank32 + 15) return true;
  if (value >= kBlankFloat && value <= kBlankFloat + 3) return true;
  return digits.starts_with("92233720368547757") || digits.starts_with("92233720368547758") || digits.starts_with("184467440737095516") ||
         std::abs(value) >= 9.2e18;
}

}  // namespace

std::string_view trimmed_cell(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::optional<double> unit_factor(std::string_view unit, Dimension dimension) {
  for (const Unit& known : kUnits) {
    if (known.dimension == dimension && same_unit(known.text, unit)) return known.factor;
  }
  return std::nullopt;
}

HeaderCell read_header_cell(std::string_view text) {
  text = trimmed_cell(text);
  HeaderCell header;
  const std::size_t open = text.find_first_of("[(");
  if (open != std::string_view::npos && open > 0) {
    const std::size_t close = text.find_first_of("])", open);
    header.unit = trimmed_cell(text.substr(open + 1, close == std::string_view::npos ? close : close - open - 1));
    text = text.substr(0, open);
  }
  for (const char c : text) {
    if (c != ' ' && c != '\t') header.name += lower(c);
  }
  return header;
}

bool means_no_reading(std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') return true;
  constexpr std::string_view words[] = {"", "-", "--", "n/a", "na", "nan", "none", "null", "not supported", "unknown error", "err!", "no"};
  const std::string word = lowered(text);
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool read_log_seconds(std::string_view text, double unit, std::int64_t& ns) {
  const int exponent = unit == 1 ? 9 : unit == 1e-3 ? 6 : unit == 1e-6 ? 3 : 0;
  return read_decimal_ns(trimmed_cell(text), exponent, ns) == Reading::good;
}

MeasuredCell read_measured(std::string_view text, Dimension dimension, std::string_view unit, std::string_view usual, bool decimal_comma) {
  using Kind = MeasuredCell::Kind;
  text = trimmed_cell(text);
  if (means_no_reading(text)) return {Kind::missing, 0, false};
  std::size_t end = text.find_first_not_of("+-.,0123456789eE");
  if (end == std::string_view::npos) end = text.size();
  std::string digits(text.substr(0, end));
  if (decimal_comma) std::replace(digits.begin(), digits.end(), ',', '.');
  const std::string_view own = trimmed_cell(text.substr(end));
  const std::optional<double> number = read_double(digits);
  if (!number) {
    const bool begins = text.starts_with('[') || digits == "+" || digits == "-" || (own.empty() && digits.ends_with('.'));
    return {begins ? Kind::cut : Kind::wrong, 0, false};
  }
  if (stands_for_none(*number, digits)) return {Kind::missing, 0, false};
  const std::string_view taken = !own.empty() ? own : (!unit.empty() ? unit : usual);
  const std::optional<double> factor = taken.empty() ? 1.0 : unit_factor(taken, dimension);
  if (!factor) return {Kind::wrong, 0, false};
  return {Kind::value, *number * *factor, !own.empty()};
}

}  // namespace joulecast::traces
