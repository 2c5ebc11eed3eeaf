#include "config/units.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/node.hpp"
#include "config/quantity_text.hpp"

namespace joulecast::config {
namespace {

/// A unit's name; its value in SI units is multiply / divide.
struct Unit {
  std::string name;
  Dimension dimension;
  double multiply = 1;
  double divide = 1;
  std::string currency = {};
  std::string per = {};
};

struct Prefix {
  std::string_view name;
  double multiply;
  double divide;
};

struct Named {
  Dimension dimension;
  std::string name;
  std::string si_unit;
  std::string example;
  std::vector<std::string> usual;
};

constexpr Dimension kEnergy{{1, 0, 0, 0, 0, 0}}, kTime{{0, 1, 0, 0, 0, 0}}, kData{{0, 0, 1, 0, 0, 0}}, kWork{{0, 0, 0, 1, 0, 0}},
    kMoney{{0, 0, 0, 0, 1, 0}}, kEmission{{0, 0, 0, 0, 0, 1}};
constexpr Dimension kNone{};

constexpr Dimension operator-(Dimension a, const Dimension& b) {
  for (std::size_t i = 0; i < a.exponents.size(); ++i) a.exponents[i] -= b.exponents[i];
  return a;
}

const std::vector<Unit>& all_units() {
  static const std::vector<Unit> units = [] {
    constexpr Prefix nano{"n", 1, 1e9}, micro{"u", 1, 1e6}, micro_sign{"\u00b5", 1, 1e6}, milli{"m", 1, 1e3}, kilo{"k", 1e3, 1}, mega{"M", 1e6, 1},
        giga{"G", 1e9, 1}, tera{"T", 1e12, 1}, peta{"P", 1e15, 1}, exa{"E", 1e18, 1};
    constexpr Prefix kibi{"Ki", 0x1p10, 1}, mebi{"Mi", 0x1p20, 1}, gibi{"Gi", 0x1p30, 1}, tebi{"Ti", 0x1p40, 1}, pebi{"Pi", 0x1p50, 1};
    std::vector<Unit> out;
    const auto add = [&](const std::string& name, const Dimension& dimension, double multiply, double divide,
                         std::initializer_list<Prefix> prefixes) {
      out.push_back({name, dimension, multiply, divide});
      for (const Prefix& prefix : prefixes) {
        out.push_back({std::string(prefix.name) + name, dimension, prefix.multiply * multiply, prefix.divide * divide});
      }
    };
    add("J", kEnergy, 1, 1, {nano, micro, milli, kilo, mega, giga, tera, peta});
    add("Wh", kEnergy, 3600, 1, {kilo, mega, giga, tera});
    add("W", kEnergy - kTime, 1, 1, {nano, micro, milli, kilo, mega, giga, tera, peta});
    add("s", kTime, 1, 1, {nano, micro, micro_sign, milli});
    add("min", kTime, 60, 1, {});
    add("h", kTime, 3600, 1, {});
    add("day", kTime, 86400, 1, {});
    add("week", kTime, 7.0 * 86400, 1, {});
    add("month", kTime, 365.0 * 86400, 12, {});
    add("year", kTime, 365.0 * 86400, 1, {});
    add("Hz", kNone - kTime, 1, 1, {kilo, mega, giga, tera});
    add("B", kData, 1, 1, {kilo, mega, giga, tera, peta, kibi, mebi, gibi, tebi, pebi});
    add("bit", kData, 1, 8, {kilo, mega, giga, tera});
    add("FLOP", kWork, 1, 1, {kilo, mega, giga, tera, peta, exa});
    add("g", kEmission, 1, 1, {milli, kilo});
    add("t", kEmission, 1e6, 1, {});
    add("lb", kEmission, 453.59237, 1, {});
    for (const char* currency : {"USD", "EUR", "GBP"}) out.push_back({currency, kMoney, 1, 1, currency, ""});
    for (const char* per : {"GPU", "node"}) out.push_back({per, kNone, 1, 1, "", per});
    return out;
  }();
  return units;
}

const std::vector<Named>& named_dimensions() {
  static const std::vector<Named> named = {
      {kEnergy, "energy", "J", "1.25 kWh", {"J", "kJ", "MJ", "Wh", "kWh", "MWh"}},
      {kEnergy - kTime, "power", "W", "1.25 kW", {"W", "kW", "MW"}},
      {kTime, "time", "s", "1.5 s", {"ns", "us", "ms", "s", "min", "h", "day", "week", "month", "year"}},
      {kNone - kTime, "frequency", "Hz", "1410 MHz", {"Hz", "kHz", "MHz", "GHz", "/s", "/min", "/h"}},
      {kData, "data", "B", "80 GiB", {"B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"}},
      {kData - kTime, "data rate", "B/s", "900 GB/s", {"B/s", "MB/s", "GB/s", "TB/s", "Gbit/s"}},
      {kWork, "work", "FLOP", "1.5 TFLOP", {"FLOP", "GFLOP", "TFLOP", "PFLOP"}},
      {kWork - kTime, "compute rate", "FLOP/s", "989 TFLOP/s", {"FLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"}},
      {kMoney, "money", "currency", "90000 USD", {"USD", "EUR", "GBP", "USD/node", "USD/GPU"}},
      {kMoney - kEnergy, "money per energy", "currency/J", "0.08 USD/kWh", {"USD/kWh", "EUR/kWh", "GBP/kWh", "USD/MWh", "EUR/MWh", "GBP/MWh"}},
      {kMoney - kTime,
       "money per time",
       "currency/s",
       "1.30 USD/GPU/h",
       {"USD/GPU/h", "EUR/GPU/h", "GBP/GPU/h", "USD/h", "EUR/h", "GBP/h", "USD/month"}},
      {kEmission, "emission", "g", "1.5 kg", {"g", "kg", "t", "lb"}},
      {kEmission - kEnergy, "emission per energy", "g/J", "380 g/kWh", {"g/kWh", "kg/MWh", "lb/MWh"}},
      {kNone, "plain number", "", "1", {}},
  };
  return named;
}

const Named* find_named(const Dimension& dimension) {
  for (const Named& named : named_dimensions()) {
    if (named.dimension == dimension) return &named;
  }
  return nullptr;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string subject_of(std::string_view key) { return key.empty() ? "the value" : quoted(key); }

struct Reported {
  const Place& place;
  Diagnostics& diagnostics;
  std::string subject;
  std::string_view text;

  void fault(const std::string& what, std::string remedy) const { diagnostics.error(place, subject + " " + what, std::move(remedy)); }
};

/// A number and what stands behind it.
struct Split {
  double number = 0;
  std::string_view digits;
  std::string_view unit;
};

std::optional<Split> split(const Reported& report, const std::string& example) {
  std::string_view text = trimmed(report.text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  Split out;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out.number);
  if (failure == std::errc::invalid_argument) {
    report.fault("expects a number with a unit, read " + quoted(report.text), "write it with a unit, for example \"" + example + "\"");
    return std::nullopt;
  }
  if (failure == std::errc::result_out_of_range || !std::isfinite(out.number)) {
    report.fault("is not a finite number that can be held: " + quoted(report.text), "write a finite number, for example \"" + example + "\"");
    return std::nullopt;
  }
  out.digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
  out.unit = trimmed(text.substr(out.digits.size()));
  if (!out.unit.empty() && (out.unit.front() == ',' || out.unit.front() == '_')) {
    report.fault("is not a number with a unit: " + quoted(report.text),
                 "use a point for decimals and nothing between thousands, as in \"" + example + "\"");
    return std::nullopt;
  }
  return out;
}

/// The unit that an expression such as "USD/GPU/h" makes; nullopt if a name in it is not known.
std::optional<Unit> parse_unit(std::string_view text) {
  Unit out;
  bool first = true;
  while (true) {
    const std::size_t slash = text.find('/');
    const std::string_view name = trimmed(text.substr(0, slash));
    if (!(first && name.empty() && slash != std::string_view::npos)) {
      const auto& units = all_units();
      const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& known) { return known.name == name; });
      if (unit == units.end()) return std::nullopt;
      if (!unit->per.empty() && (first || out.currency.empty() || !out.per.empty())) return std::nullopt;
      out.dimension = first ? unit->dimension : out.dimension - unit->dimension;
      out.multiply *= first ? unit->multiply : unit->divide;
      out.divide *= first ? unit->divide : unit->multiply;
      if (first) out.currency = unit->currency;
      if (!unit->per.empty()) out.per = unit->per;
    }
    if (slash == std::string_view::npos) return out;
    text.remove_prefix(slash + 1);
    first = false;
  }
}

std::string with_usual(const Named& wanted) {
  return "use a unit of " + wanted.name + " (" + listed(wanted.usual) + "), for example \"" + wanted.example + "\"";
}

}  // namespace

std::optional<Measured> parse_measured(std::string_view text, const Dimension& wanted, const Place& place, Diagnostics& diagnostics,
                                       std::string_view key) {
  const Named nameless{wanted, "quantity", si_unit(wanted), "1 " + si_unit(wanted), {si_unit(wanted)}};
  const Named* found = find_named(wanted);
  const Named& named = found != nullptr ? *found : nameless;
  const Reported report{place, diagnostics, subject_of(key), text};

  const auto parts = split(report, named.example);
  if (!parts) return std::nullopt;
  if (parts->unit.empty()) {
    report.fault("needs a unit of " + named.name + ", read " + quoted(text), "write it with a unit, for example \"" + named.example + "\"");
    return std::nullopt;
  }
  if (parts->unit == "%") {
    report.fault("expects a unit of " + named.name + ", read a share, " + quoted(text), with_usual(named));
    return std::nullopt;
  }
  const auto unit = parse_unit(parts->unit);
  if (!unit) {
    const std::string close = nearest(parts->unit, named.usual);
    report.fault("has an unknown unit " + quoted(parts->unit) + " in " + quoted(text),
                 close.empty() ? with_usual(named) : "did you mean \"" + std::string(parts->digits) + " " + close + "\"?");
    return std::nullopt;
  }
  if (unit->dimension != wanted) {
    report.fault("expects a unit of " + named.name + ", read " + dimension_name(unit->dimension) + ", " + quoted(text), with_usual(named));
    return std::nullopt;
  }
  const double si = parts->number * unit->multiply / unit->divide;
  if (!std::isfinite(si) || (si == 0 && parts->number != 0)) {
    report.fault("is not a finite number that can be held in " + si_unit(wanted) + ": " + quoted(text),
                 "write a smaller quantity, for example \"" + named.example + "\"");
    return std::nullopt;
  }
  return Measured{si, unit->currency, unit->per};
}

std::optional<double> parse_percent(std::string_view text, const Place& place, Diagnostics& diagnostics, std::string_view key) {
  const Reported report{place, diagnostics, subject_of(key), text};
  const auto parts = split(report, "80 %");
  if (!parts) return std::nullopt;
  if (parts->unit != "%") {
    report.fault(parts->unit.empty() ? "needs \"%\" behind the number, read " + quoted(text) : "expects a share in \"%\", read " + quoted(text),
                 "write a share, for example \"80 %\" or 0.8");
    return std::nullopt;
  }
  return parts->number / 100;
}

std::optional<QuantityText> quantity_of(std::string_view text) {
  Diagnostics ignored;
  const Place nowhere;
  const auto parts = split({nowhere, ignored, {}, text}, "");
  if (!parts || parts->unit.empty()) return std::nullopt;
  if (parts->unit == "%") return QuantityText{parts->number, "%", parts->number / 100, "1"};
  const auto unit = parse_unit(parts->unit);
  if (!unit) return std::nullopt;
  std::string si = si_unit(unit->dimension);
  if (!unit->currency.empty() && si.starts_with("currency")) si.replace(0, std::string_view("currency").size(), unit->currency);
  if (!unit->per.empty()) si += "/" + unit->per;
  return QuantityText{parts->number, std::string(parts->unit), parts->number * unit->multiply / unit->divide, si};
}

std::string dimension_name(const Dimension& dimension) {
  const Named* named = find_named(dimension);
  return named != nullptr ? named->name : "quantity";
}

std::string si_unit(const Dimension& dimension) {
  if (const Named* named = find_named(dimension)) return named->si_unit;
  constexpr std::string_view bases[] = {"J", "s", "B", "FLOP", "currency", "g"};
  std::string above, below;
  for (std::size_t i = 0; i < dimension.exponents.size(); ++i) {
    const int power = dimension.exponents[i];
    for (int n = 0; n < power; ++n) above += (above.empty() ? "" : " ") + std::string(bases[i]);
    for (int n = 0; n > power; --n) below += "/" + std::string(bases[i]);
  }
  return above + below;
}

std::string example_of(const Dimension& dimension) {
  const Named* named = find_named(dimension);
  return named != nullptr ? named->example : "1 " + si_unit(dimension);
}

std::vector<std::string> usual_units(const Dimension& dimension) {
  const Named* named = find_named(dimension);
  return named != nullptr ? named->usual : std::vector<std::string>{si_unit(dimension)};
}

}  // namespace joulecast::config
