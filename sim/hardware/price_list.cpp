#include "hardware/price_list.hpp"

#include "config/node.hpp"

namespace joulecast::hardware {

namespace {

using config::Diagnostics;
using config::Node;

template <class Q>
Figure<Q> figure_of(const FigureText& text, Q value) {
  return {value, text.source, text.kind, text.error};
}

}  // namespace

GpuPrice load_price(const std::string& path, const std::string& gpu) {
  const Node root = config::parse_file(path);
  GpuPrice price;
  const auto* file = root.as<config::Table>();
  const Node* of_gpus = file == nullptr ? nullptr : file->find("gpu");
  const auto* gpus = of_gpus == nullptr ? nullptr : of_gpus->as<config::Table>();
  const Node* found = gpus == nullptr ? nullptr : gpus->find(gpu);
  const auto* table = found == nullptr ? nullptr : found->as<config::Table>();
  if (table == nullptr) return price;
  Diagnostics diagnostics;
  for (const auto& entry : table->entries) {
    const auto text = read_figure_text(*entry.value, entry.key, diagnostics);
    if (!text) continue;
    if (entry.key == "rental") {
      const auto value = config::Reads<config::Priced<MoneyPerSecond>>::read(*text->value, diagnostics, entry.key);
      if (!value) continue;
      if (value->per != "GPU") {
        diagnostics.error(entry.place, "rental is not stated per GPU", "write it as \"1.30 USD/GPU/h\"");
        continue;
      }
      price.rental = figure_of(*text, value->amount);
      price.currency = value->currency;
    } else if (entry.key == "embodied_carbon") {
      const auto value = config::Reads<Grams>::read(*text->value, diagnostics, entry.key);
      if (value) price.embodied_carbon = figure_of(*text, *value);
    } else {
      diagnostics.error(entry.place, "unknown key \"" + entry.key + "\"", "a GPU's price has rental and embodied_carbon");
    }
  }
  diagnostics.throw_if_failed();
  return price;
}

}  // namespace joulecast::hardware
