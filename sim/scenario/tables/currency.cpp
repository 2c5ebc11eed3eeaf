#include "scenario/tables/currency.hpp"

namespace joulecast::scenario {

namespace {

constexpr config::Dimension kMoney{{0, 0, 0, 0, 1, 0}};

/// The units of money that amounts may be written in.
std::vector<std::string> known_currencies() {
  std::vector<std::string> known;
  for (const std::string& unit : config::usual_units(kMoney)) {
    if (unit.find('/') == std::string::npos) known.push_back(unit);
  }
  return known;
}

bool is_known(const std::string& currency) {
  for (const std::string& known : known_currencies()) {
    if (known == currency) return true;
  }
  return false;
}

std::string remedy(const std::string& currency) {
  const std::string near = config::nearest(currency, known_currencies());
  std::string list;
  for (const std::string& known : known_currencies()) list += (list.empty() ? "" : ", ") + known;
  return near.empty() ? "known: " + list : "did you mean \"" + near + "\"?";
}

}  // namespace

std::optional<double> CurrencyTable::rate(const std::string& currency) const {
  if (currency == base) return 1;
  for (const auto& [name, value] : rates) {
    if (name == currency) return value;
  }
  return std::nullopt;
}

CurrencyTable read_currency(const config::Node& node, config::Diagnostics& diagnostics) {
  CurrencyTable table;
  table.place = node.place();
  const auto* entries = node.as<config::Table>();
  if (entries == nullptr) {
    diagnostics.error(node.place(), "expected a table [currency], read " + std::string(node.kind()), "write [currency] with base = \"USD\"");
    return table;
  }
  const config::Node* base = entries->find("base");
  const auto* name = base == nullptr ? nullptr : base->as<std::string>();
  if (name == nullptr) {
    diagnostics.error(base == nullptr ? node.place() : base->place(), "currency does not say what costs are stated in", "add base = \"USD\"");
    return table;
  }
  if (!is_known(*name)) diagnostics.error(base->place(), "there is no currency \"" + *name + "\"", remedy(*name));
  table.base = *name;
  for (const auto& entry : entries->entries) {
    if (entry.key == "base") continue;
    if (!is_known(entry.key) || entry.key == table.base) {
      diagnostics.error(entry.place,
                        entry.key == table.base ? "\"" + entry.key + "\" is the base itself" : "there is no currency \"" + entry.key + "\"",
                        entry.key == table.base ? "leave the key out" : remedy(entry.key));
      continue;
    }
    const auto* text = entry.value->as<std::string>();
    config::Diagnostics unheard;
    const auto rate = text == nullptr ? std::nullopt : config::parse_measured(*text, kMoney, entry.place, unheard);
    if (!rate || rate->currency != table.base || !rate->per.empty() || !(rate->si > 0)) {
      diagnostics.error(entry.place, "what one " + entry.key + " is in " + table.base + " is not said, read " + config::write(*entry.value),
                        "write for example " + entry.key + " = \"1.08 " + table.base + "\"");
      continue;
    }
    table.rates.emplace_back(entry.key, rate->si);
  }
  return table;
}

}  // namespace joulecast::scenario
