#include "traces/grid/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "config/node.hpp"
#include "traces/excerpt.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kMostJson = std::size_t{64} << 20;
/// Beyond this a value is in another unit than it is taken for: day-ahead prices and intensities stay below some thousands of their units.
constexpr double kMostValue = 1e6;

std::string_view stripped(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool means_none(std::string_view text) {
  constexpr std::string_view words[] = {"", "-", "--", "n/e", "N/A", "n/a", "NA", "NaN", "nan", "null", "None"};
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

enum class Number : std::uint8_t { good, cut, wrong };

Number parse(std::string_view text, double& value) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure == std::errc() && end == digits.data() + digits.size() && std::abs(value) <= kMostValue) return Number::good;
  const bool begins = text.empty() || text == "-" || text == "+" || text.back() == 'e' || text.back() == 'E';
  return begins ? Number::cut : Number::wrong;
}

constexpr std::string_view kExpected = "a number of at most 1e6 either way, with a decimal point";
constexpr std::string_view kRemedy = "write a number such as 12.5, or an empty cell where there is no value";

}  // namespace

TextLines SeriesText::lines() const { return in_memory_ ? TextLines(text_, name_) : TextLines(name_, written_at_); }

std::string SeriesText::whole() const {
  std::string text;
  TextLines all = lines();
  while (all.next()) {
    text += all.line();
    text += '\n';
    if (text.size() > kMostJson) throw UserError({name_, 0, 0}, "the file is larger than 64 MiB", "cut it to the time of the run");
  }
  return text;
}

std::vector<std::string> SeriesText::header() const {
  TextLines all = lines();
  std::vector<std::string> names;
  if (!all.next()) return names;
  std::string name;
  bool quoted = false;
  for (const char c : std::string(all.line()) + ",") {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      names.emplace_back(stripped(name));
      name.clear();
    } else {
      name += c;
    }
  }
  return names;
}

bool Locations::keeps(std::string_view location) {
  if (std::find(seen_.begin(), seen_.end(), location) == seen_.end() && seen_.size() < 1000) seen_.emplace_back(location);
  return wanted_.empty() || location == wanted_;
}

void Locations::check(const std::string& file, const Place& options) const {
  if (seen_.empty()) return;
  const std::size_t shown = std::min<std::size_t>(seen_.size(), 12);
  std::vector<std::string> some;
  for (std::size_t i = 0; i < shown; ++i) some.push_back(excerpt(seen_[i]));
  const std::string list = fmt::format("{}{}", fmt::join(some, ", "), shown < seen_.size() ? ", ..." : "");
  if (wanted_.empty() && seen_.size() > 1) {
    throw UserError(options, fmt::format("{} has rows of several {}s: {}", file, what_, list), fmt::format("add location = \"{}\"", some.front()));
  }
  if (wanted_.empty() || std::find(seen_.begin(), seen_.end(), wanted_) != seen_.end()) return;
  const std::string near = config::nearest(wanted_, seen_);
  throw UserError(options, fmt::format("{} has no {} \"{}\"", file, what_, wanted_),
                  (near.empty() ? std::string() : fmt::format("did you mean \"{}\"? ", near)) + "the file has " + list);
}

bool read_value(Delimited& rows, std::size_t column, std::optional<double>& value) {
  const std::string_view text = rows.cell(column);
  value.reset();
  if (means_none(text)) return true;
  double number = 0;
  const Number read = parse(text, number);
  if (read != Number::good) {
    rows.refuse(column, kExpected, std::string(kRemedy), read == Number::cut);
    return false;
  }
  value = number;
  return true;
}

std::optional<double> read_number(std::string_view text, std::string_view what, const Place& place) {
  if (means_none(text)) return std::nullopt;
  double number = 0;
  if (parse(text, number) == Number::good) return number;
  throw UserError(place, fmt::format("read \"{}\" as {}, expected {}", excerpt(text), what, kExpected), std::string(kRemedy));
}

void check_torn(const Delimited& rows, const std::string& torn_last_row, std::vector<std::string>& notes) {
  if (!rows.torn()) return;
  if (torn_last_row != "drop") {
    throw UserError(rows.line_place(), "the last row was cut off",
                    "complete or delete it, or write torn_last_row = \"drop\" to leave it out (it is noted)");
  }
  notes.emplace_back("the last row was cut off and is left out");
}

}  // namespace joulecast::traces
