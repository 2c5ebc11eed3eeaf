#include "scenario/load_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/diagnostics.hpp"
#include "hardware/price_list.hpp"
#include "hardware/profiles.hpp"
#include "scenario/records.hpp"

namespace joulecast::scenario {

namespace {

using config::Node;
using Setting = std::pair<std::string, Node>;

constexpr std::int64_t kTensorParallel[] = {1, 2, 4, 8};

Node plain(std::string text) { return {std::move(text), Place{}}; }

/// Puts a value at a dotted path, tables made on the way.
void put(Node& root, const std::string& path, Node value) {
  Node* at = &root;
  std::size_t from = 0;
  while (true) {
    const std::size_t dot = path.find('.', from);
    const std::string key = path.substr(from, dot == std::string::npos ? dot : dot - from);
    auto* table = at->as<config::Table>();
    if (table == nullptr) {
      at->value() = config::Table{};
      table = at->as<config::Table>();
    }
    Node* found = table->find(key);
    if (found == nullptr) {
      table->entries.push_back({key, value.place(), std::make_unique<Node>(config::Table{}, value.place())});
      found = table->entries.back().value.get();
    }
    if (dot == std::string::npos) {
      *found = std::move(value);
      return;
    }
    at = found;
    from = dot + 1;
  }
}

void erase(Node& table, const std::string& key) {
  if (auto* entries = table.as<config::Table>()) std::erase_if(entries->entries, [&](const auto& entry) { return entry.key == key; });
}

/// What the file says of its one pool.
struct PlannedPool {
  std::string name, cluster, node, model;
};

std::string text_of(const Node& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  config::Table table;
  table.entries.push_back({"v", {}, std::make_unique<Node>(value)});
  const std::string line = config::write(Node(std::move(table), {}));
  const std::size_t from = line.find('=');
  const std::string shown = from == std::string::npos ? line : line.substr(from + 1);
  const std::size_t first = shown.find_first_not_of(" \n"), last = shown.find_last_not_of(" \n");
  return first == std::string::npos ? "" : shown.substr(first, last - first + 1);
}

std::string file_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
    if (stays) word += c;
    if (!stays && !word.empty() && word.back() != '-') word += '-';
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

std::vector<std::vector<Setting>> combinations(const std::vector<PlanChoice>& choices) {
  std::vector<std::vector<Setting>> all{{}};
  for (const PlanChoice& choice : choices) {
    std::vector<std::vector<Setting>> longer;
    for (const auto& begun : all) {
      for (const Node& value : choice.values) {
        longer.push_back(begun);
        longer.back().emplace_back(choice.key, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

void apply(Node& root, const PlannedPool& pool, const std::string& key, const Node& value) {
  if (key == "node" || key == "gpu") {
    put(root, (pool.cluster.empty() ? "pool." + pool.name : "cluster." + pool.cluster) + "." + key, value);
  } else if (key == "quantization") {
    const std::string table = "model";
    Node model{config::Table{}, value.place()};
    auto* models = root.as<config::Table>()->find(table);
    const bool named = models != nullptr && models->as<config::Table>() != nullptr && models->as<config::Table>()->find(pool.model) != nullptr;
    if (models == nullptr) {
      put(root, table, Node(config::Table{}, value.place()));
      models = root.as<config::Table>()->find(table);
    }
    auto* entries = models->as<config::Table>();
    if (!named) {
      put(model, "architecture", plain(pool.model));
      entries->entries.push_back({pool.model, value.place(), std::make_unique<Node>(std::move(model))});
    }
    put(*entries->find(pool.model), "quantization", value);
  } else {
    put(root, key.find('.') == std::string::npos ? "pool." + pool.name + "." + key : key, value);
  }
}

PlanCandidate named(const PlannedPool& pool, const std::vector<Setting>& settings) {
  PlanCandidate candidate;
  candidate.node = pool.node;
  for (const auto& [key, value] : settings) {
    if (key == "node") {
      candidate.node = text_of(value);
    } else {
      candidate.settings.emplace_back(key, text_of(value));
    }
  }
  const std::size_t slash = candidate.node.find_last_of('/');
  candidate.name = file_word(slash == std::string::npos ? candidate.node : candidate.node.substr(slash + 1));
  for (const auto& [key, value] : candidate.settings) candidate.name += (key == "tensor_parallel_size" ? "-tp" : "-") + file_word(value);
  return candidate;
}

class Candidates {
 public:
  Candidates(const std::string& path, const LoadOptions& options, const PlanTable& plan, Node root, PlannedPool pool)
      : path_(path), options_(options), plan_(plan), root_(std::move(root)), pool_(std::move(pool)) {}

  std::vector<PlanCandidate> all(const Scenario& given) {
    std::vector<PlanCandidate> all;
    for (const auto& settings : combinations(choices())) {
      PlanCandidate candidate = named(pool_, settings);
      check_node(candidate, settings);
      resolve(candidate, settings);
      if (candidate.scenario) price(candidate, given);
      for (std::size_t same = 2; std::any_of(all.begin(), all.end(), [&](const PlanCandidate& each) { return each.name == candidate.name; }); ++same)
        candidate.name = fmt::format("{}-{}", named(pool_, settings).name, same);
      all.push_back(std::move(candidate));
    }
    diagnostics_.throw_if_failed();
    return all;
  }

 private:
  std::vector<PlanChoice> choices() const {
    std::vector<PlanChoice> choices = plan_.choose;
    const auto has = [&](const char* key) { return std::any_of(choices.begin(), choices.end(), [&](const PlanChoice& c) { return c.key == key; }); };
    // Nodes first: candidates of one kind stand together.
    std::stable_partition(choices.begin(), choices.end(), [](const PlanChoice& choice) { return choice.key == "node"; });
    if (!has("tensor_parallel_size")) {
      PlanChoice widths{"tensor_parallel_size", {}, plan_.place};
      for (const std::int64_t width : kTensorParallel) widths.values.emplace_back(width, plan_.place);
      choices.insert(choices.begin() + (has("node") ? 1 : 0), std::move(widths));
    }
    return choices;
  }

  void check_node(const PlanCandidate& candidate, const std::vector<Setting>& settings) {
    const auto node = std::find_if(settings.begin(), settings.end(), [](const Setting& each) { return each.first == "node"; });
    if (node == settings.end()) return;
    if (node->second.as<std::string>() == nullptr) {
      fault({node->second.place(), "a node is named by a string, read " + std::string(node->second.kind()), "write node = [\"dgx-h100\"]"});
      return;
    }
    try {
      hardware::find_profile(hardware::node_folder(options_.share_dir), "node", candidate.node, node->second.place());
    } catch (const UserError& error) {
      for (const UserFault& each : error.faults()) fault(each);
    }
  }

  void fault(const UserFault& each) {
    const std::string text = each.text();
    if (std::find(told_.begin(), told_.end(), text) != told_.end()) return;
    told_.push_back(text);
    diagnostics_.error(each.place, each.what, each.remedy);
  }

  /// A fault of a key or value is the file's; one of a choice that does not go together rules the candidate out.
  void resolve(PlanCandidate& candidate, const std::vector<Setting>& settings) {
    Node tree = root_;
    put(tree, "pool." + pool_.name + ".replicas", Node(std::int64_t{1}, plan_.place));
    if (!pool_.cluster.empty()) put(tree, "cluster." + pool_.cluster + ".nodes", Node(std::int64_t{1}, plan_.place));
    for (const auto& [key, value] : settings) apply(tree, pool_, key, value);
    config::Diagnostics read;
    file_record().read(tree, read);
    try {
      read.throw_if_failed();
    } catch (const UserError& error) {
      for (const UserFault& each : error.faults()) fault(each);
      return;
    }
    try {
      candidate.scenario = load_from_tree(tree, path_, options_);
      candidate.scenario = with_nodes(*std::move(candidate.scenario), 1);
      candidate.scenario->name = candidate.name;
    } catch (const UserError& error) {
      for (const UserFault& each : error.faults()) candidate.fault += (candidate.fault.empty() ? "" : "; ") + each.what;
    }
  }

  void price(PlanCandidate& candidate, const Scenario& given) {
    Cluster& cluster = candidate.scenario->clusters[candidate.scenario->pools.front().cluster];
    const Cluster& own = given.clusters[given.pools.front().cluster];
    const bool same = cluster.node.file == own.node.file && cluster.gpu.name == own.gpu.name;
    const std::string prices = hardware::price_file(options_.share_dir);
    const hardware::GpuPrice shipped = hardware::load_price(prices, cluster.gpu.name);
    const PlanCost* stated = nullptr;
    for (const auto& [name, cost] : plan_.cost) {
      const auto& aliases = cluster.node.aliases;
      if (name == candidate.node || name == cluster.node.name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) stated = &cost;
    }
    CostTable cost;
    if (stated != nullptr && (stated->rental || stated->capital)) {
      cost = stated->table();
      if (!cost.capital) cost.life.reset();
      candidate.cost_source = "stated in [plan.cost]";
    } else if (same && (own.cost.rental || own.cost.capital)) {
      cost = own.cost;
      candidate.cost_source = "stated for the pool's own nodes";
    } else if (shipped.rental) {
      cost.rental = config::Priced<MoneyPerSecond>{shipped.rental->value, shipped.currency, "GPU"};
      candidate.cost_source = shipped.rental->source;
    }
    cluster.cost = cost;
    candidate.life = stated != nullptr && stated->life ? stated->life : cost.life;
    currency(*candidate.scenario, cost);
    if (stated != nullptr && stated->embodied_carbon) {
      candidate.embodied_carbon = stated->embodied_carbon;
      candidate.embodied_source = "stated in [plan.cost]";
    } else if (shipped.embodied_carbon) {
      candidate.embodied_carbon = shipped.embodied_carbon->value;
      candidate.embodied_source = shipped.embodied_carbon->source;
    }
    candidate.scenario->inputs.push_back(prices);
  }

  void currency(Scenario& scenario, const CostTable& cost) {
    for (const std::string& of : {cost.rental ? cost.rental->currency : "", cost.capital ? cost.capital->currency : ""}) {
      if (of.empty()) continue;
      if (scenario.currency.base.empty()) scenario.currency.base = of;
      if (scenario.currency.rate(of)) continue;
      fault({plan_.place, fmt::format("nodes cost {} and the scenario counts in {}, and no rate is stated", of, scenario.currency.base),
             fmt::format("add [currency] with base = \"{0}\" and {1} = \"1.08 {0}\"", scenario.currency.base, of)});
    }
  }

  const std::string& path_;
  const LoadOptions& options_;
  const PlanTable& plan_;
  Node root_;
  PlannedPool pool_;
  config::Diagnostics diagnostics_;
  std::vector<std::string> told_;
};

void check_scope(const Scenario& given, const PlanTable& plan) {
  config::Diagnostics diagnostics;
  if (given.pools.size() != 1) {
    diagnostics.error(plan.place, fmt::format("a plan chooses the fleet of one pool, and the scenario has {}", given.pools.size()),
                      "plan each pool with its traffic in a file of its own");
  }
  if (!given.jobs.empty()) diagnostics.error(plan.place, "a plan chooses for serving, and the scenario has training jobs", "leave [training] out");
  if (given.clusters.size() > 1) {
    diagnostics.error(plan.place, fmt::format("the scenario has {} clusters, and one pool", given.clusters.size()),
                      "leave out the clusters that no pool uses");
  }
  const bool asked = std::any_of(given.traffics.begin(), given.traffics.end(), [](const Traffic& traffic) { return traffic.slo.has_value(); });
  if (!asked) {
    diagnostics.error(plan.place, "a plan without an SLO: no traffic says what has to hold",
                      "add slo = { ttft = \"2 s\", tpot = \"80 ms\" } to a traffic");
  }
  diagnostics.throw_if_failed();
}

}  // namespace

std::string PlanCandidate::hardware() const {
  for (const auto& [key, value] : settings) {
    if (key == "gpu") return node + " with " + value;
  }
  return node;
}

Scenario with_nodes(Scenario scenario, int nodes) {
  Pool& pool = scenario.pools.front();
  Cluster& cluster = scenario.clusters[pool.cluster];
  cluster.nodes = nodes;
  pool.replicas = nodes * (cluster.node.gpus / pool.gpus_per_replica());
  return scenario;
}

PlanInput load_plan(const std::string& path, const LoadOptions& options) {
  Node root = load_tree(path, options);
  auto* table = root.as<config::Table>();
  const Node* plan = table == nullptr ? nullptr : table->find("plan");
  if (plan == nullptr) {
    throw UserError({path, 0, 0}, "the scenario has no [plan]", "add [plan] and [plan.choose]; `joulecast schema plan` shows their keys");
  }
  config::Diagnostics diagnostics;
  PlanInput input{plan_record().read(*plan, diagnostics), "", {}, {}};
  diagnostics.throw_if_failed();
  erase(root, "plan");
  erase(root, "compare");
  input.given = load_from_tree(root, path, options);
  input.name = input.given.name;
  check_scope(input.given, input.plan);
  const Pool& pool = input.given.pools.front();
  const File file = file_record().read(root, diagnostics);
  PlannedPool planned{pool.name, file.pool.front().second.cluster, input.given.clusters[pool.cluster].node_id, pool.model_name};
  input.candidates = Candidates(path, options, input.plan, std::move(root), std::move(planned)).all(input.given);
  return input;
}

}  // namespace joulecast::scenario
