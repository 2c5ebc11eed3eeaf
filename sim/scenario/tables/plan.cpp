#include "scenario/tables/plan.hpp"

#include <algorithm>

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

/// Keys that are no property of a fleet: what is served, for whom and how long stays the same for all.
constexpr const char* kNotChosen[] = {"schema", "name", "seed", "extends", "compare", "sweep", "plan", "time", "traffic", "training", "currency"};

void add_choice(std::vector<PlanChoice>& choices, const std::string& key, const config::Table::Entry& entry, Diagnostics& diagnostics) {
  PlanChoice choice{key, {}, entry.place};
  if (const auto* list = entry.value->as<Node::Array>()) {
    if (list->empty()) diagnostics.error(entry.place, "there is nothing to choose for \"" + key + "\"", "list at least one value");
    choice.values.assign(list->begin(), list->end());
  } else {
    choice.values.push_back(*entry.value);
  }
  choices.push_back(std::move(choice));
}

void read_below(std::vector<PlanChoice>& choices, const std::string& prefix, const config::Table& table, Diagnostics& diagnostics) {
  for (const auto& entry : table.entries) {
    const std::string key = prefix.empty() ? entry.key : prefix + "." + entry.key;
    if (prefix.empty() && std::find(std::begin(kNotChosen), std::end(kNotChosen), entry.key) != std::end(kNotChosen)) {
      diagnostics.error(entry.place, "a plan can't choose \"" + entry.key + "\"",
                        "choose keys of the pool, such as node = [\"dgx-h100\", \"hgx-h200\"]");
      continue;
    }
    if (const auto* nested = entry.value->as<config::Table>()) {
      read_below(choices, key, *nested, diagnostics);
    } else {
      add_choice(choices, key, entry, diagnostics);
    }
  }
}

void read_choose(PlanTable& plan, const Node& node, Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "expected a table [plan.choose], read " + std::string(node.kind()),
                      "write [plan.choose] with node = [\"dgx-h100\", \"hgx-h200\"]");
    return;
  }
  read_below(plan.choose, "", *table, diagnostics);
}

Record<PlanLimits> limits_record() {
  Record<PlanLimits> record("limits");
  record.place(&PlanLimits::place)
      .optional("power", &PlanLimits::power, "absent", Bounds::positive(),
                "of the whole fleet at `it` and the grown load, the largest mean of 15 min: \"69 kW\"")
      .optional("nodes", &PlanLimits::nodes, "absent", Bounds::between(1, 100000), "nodes that there is room for")
      .optional("gpus", &PlanLimits::gpus, "absent", Bounds::between(1, 1000000), "GPUs that can be had")
      .optional("cost", &PlanLimits::cost, "absent", Bounds::positive(), "money a time: \"30000 USD/month\"")
      .optional("carbon", &PlanLimits::carbon, "absent", Bounds::positive(), "CO2e of the energy of a month: \"20000 kg\"");
  return record;
}

Record<PlanCost> cost_of_nodes_record() {
  Record<PlanCost> record("cost");
  record.place(&PlanCost::place)
      .optional("rental", &PlanCost::rental, "where no capital is stated: the pool's own for its own nodes, else the shipped price of the GPU",
                Bounds::not_negative(), "rent of a GPU: \"1.30 USD/GPU/h\"")
      .optional("capital", &PlanCost::capital, "absent", Bounds::not_negative(), "price of a node: \"300000 USD/node\"")
      .optional("life", &PlanCost::life, "absent", Bounds::positive(), "time over which the capital and the embodied carbon are spread: \"4 year\"")
      .optional("embodied_carbon", &PlanCost::embodied_carbon, "the shipped figure of the GPU", Bounds::not_negative(),
                "CO2e of making a GPU: \"318 kg\"; reported apart from that of energy")
      .check([](const PlanCost& cost, const Place& place, Diagnostics& diagnostics) {
        if (cost.rental && cost.rental->per != "GPU") diagnostics.error(place, "rental is not stated per GPU", "write it as \"1.30 USD/GPU/h\"");
        if (cost.capital && cost.capital->per != "node")
          diagnostics.error(place, "capital is not stated per node", "write it as \"300000 USD/node\"");
        if (cost.capital && !cost.life) {
          diagnostics.error(place, "capital without life", "give both, for example capital = \"300000 USD/node\", life = \"4 year\"");
        }
      });
  return record;
}

Record<SurviveTable> survive_record() {
  Record<SurviveTable> record("survive");
  record.optional("nodes", &SurviveTable::nodes, "0", Bounds::between(0, 1000), "whole nodes that may be down while every SLO still holds");
  return record;
}

}  // namespace

Record<PlanTable> plan_record() {
  Record<PlanTable> record("plan");
  record.place(&PlanTable::place)
      .choice("minimise", &PlanTable::minimise, {{"cost", Minimise::cost}, {"energy", Minimise::energy}, {"gpus", Minimise::gpus}}, "\"cost\"",
              "what the headline fleet has least of; the winners of all three are shown")
      .optional("growth", &PlanTable::growth, "1", Bounds::between(0.01, 1000), "factor on the load that every SLO must still hold at")
      .table("survive", &PlanTable::survive, survive_record(), "what may fail meanwhile")
      .optional("confidence", &PlanTable::confidence, "\"95 %\"", Bounds::between(0.5, 0.9999),
                "with which the tail is claimed to be within the SLO, by the binomial law of how many requests miss it")
      .custom("choose", "table", "the pool's own node; tensor_parallel_size 1, 2, 4, 8",
              "lists to choose from: node, tensor_parallel_size, sm_clock, gpu_power_limit, quantization and any key of the pool, or dotted keys of "
              "the file",
              read_choose)
      .table("limits", &PlanTable::limits, limits_record(), "what no fleet may exceed")
      .tables("cost", &PlanTable::cost, cost_of_nodes_record(), "what nodes of a kind cost: [plan.cost.dgx-h100]");
  return record;
}

}  // namespace joulecast::scenario
