#include "scenario/load.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "config/diagnostics.hpp"
#include "hardware/profiles.hpp"
#include "policy/registry.hpp"
#include "scenario/placement.hpp"
#include "scenario/records.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::scenario {

namespace {

using config::Diagnostics;

/// Looks up the names of a file and checks what spans tables; every fault goes to the diagnostics.
class Resolver {
 public:
  Resolver(const File& file, std::string share, Diagnostics& diagnostics) : file_(file), share_(std::move(share)), diagnostics_(diagnostics) {}

  Scenario resolve();

 private:
  void time();
  void site();
  void clusters();
  void pool(const std::string& name, const PoolTable& table);
  std::optional<std::size_t> pool_cluster(const std::string& name, const PoolTable& table);
  std::optional<Cluster> cluster(const std::string& name, const std::string& node, const std::string& gpu, const CostTable& cost, const Place& place);
  void engine(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  void operating_point(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu);
  void traffic(const std::string& name, const TrafficTable& table);
  void traffic_pools(Traffic& traffic, const TrafficTable& table);
  void router();
  void currencies();
  template <class Action>
  bool collecting(Action action);

  const File& file_;
  std::string share_;
  Diagnostics& diagnostics_;
  Scenario scenario_;
};

/// Runs something that throws a UserError and keeps its faults; true if it did not throw.
template <class Action>
bool Resolver::collecting(Action action) {
  try {
    action();
    return true;
  } catch (const UserError& error) {
    for (const auto& fault : error.faults()) diagnostics_.error(fault.place, fault.what, fault.remedy);
    return false;
  }
}

template <class T>
const T* find(const config::NamedTables<T>& tables, const std::string& name) {
  for (const auto& [key, table] : tables) {
    if (key == name) return &table;
  }
  return nullptr;
}

template <class T>
std::string nearest_table(const config::NamedTables<T>& tables, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : tables) names.push_back(entry.first);
  const std::string near = config::nearest(name, names);
  return near.empty() ? "" : "did you mean \"" + near + "\"? ";
}

/// The file of a length histogram: a shipped one by its name, any other by its path (".toml").
std::string histogram_path(const std::string& share, const std::string& name, const Place& place) {
  namespace fs = std::filesystem;
  if (name.ends_with(".toml")) {
    const std::string path = config::resolve_path(name, place);
    if (fs::exists(path)) return path;
    throw UserError(place, "there is no file \"" + path + "\"", "name a shipped histogram, or a file that tools/make-length-histogram made");
  }
  const fs::path folder = fs::path(share) / "workloads/serving";
  if (fs::exists(folder / (name + ".toml"))) return (folder / (name + ".toml")).string();
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(folder)) known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  std::string list;
  for (const auto& each : known) list += (list.empty() ? "" : ", ") + each;
  const std::string near = config::nearest(name, known);
  throw UserError(place, "there is no length histogram \"" + name + "\"", (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "shipped are " + list);
}

Scenario Resolver::resolve() {
  scenario_.name = file_.name;
  scenario_.seed = static_cast<std::uint64_t>(file_.seed);
  site();
  clusters();
  for (const auto& [name, table] : file_.pool) pool(name, table);
  for (const auto& [name, table] : file_.traffic) traffic(name, table);
  router();
  time();
  currencies();
  if (file_.pool.empty()) diagnostics_.error({}, "the scenario has no pool", "add [pool.NAME] with node, model, tensor_parallel_size and replicas");
  return std::move(scenario_);
}

void Resolver::time() {
  const TimeTable& table = file_.time;
  const bool replays = std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.trace && !t.trace->repeat; });
  const bool counted = std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.num_requests.has_value(); });
  scenario_.at_end = replays || counted ? AtEnd::drain : AtEnd::cut;
  if (table.at_end) {
    if (*table.at_end != "cut" && *table.at_end != "drain") {
      diagnostics_.error(table.place, "at_end = \"" + *table.at_end + "\" is not known", "write \"cut\" or \"drain\"");
    }
    scenario_.at_end = *table.at_end == "cut" ? AtEnd::cut : AtEnd::drain;
  }
  scenario_.duration = table.duration;
  if (!table.duration && !replays && !counted) scenario_.duration = Seconds(3600);
  if (!scenario_.duration && scenario_.at_end == AtEnd::cut) {
    diagnostics_.error(table.place, "at_end = \"cut\" needs a duration here", "add duration = \"1 h\" to [time], or write at_end = \"drain\"");
  }
  scenario_.warmup = table.warmup;
  scenario_.bin = table.bin;
  if (scenario_.duration && scenario_.duration->si() > 9.0e8) {
    diagnostics_.error(table.place, "the duration is longer than 28 years", "choose a shorter one");
  }
  if (scenario_.duration && scenario_.duration->si() / table.bin.si() > 5e7) {
    diagnostics_.error(table.place, "more than 50 million bins", "choose a wider bin or a shorter duration");
  }
  if (scenario_.duration && table.warmup >= *scenario_.duration) {
    diagnostics_.error(table.place, "the warmup is as long as the run", "make it shorter than the duration");
  }
}

void Resolver::site() {
  if (file_.site.size() > 1) {
    diagnostics_.error(file_.site[1].second.place, "more than one site is not yet supported", "keep one [site.NAME]");
  }
  if (file_.site.empty()) {
    diagnostics_.error({}, "the scenario has no site", "add [site.NAME] with pue = 1.25 (facility energy over IT energy); there is no default");
    return;
  }
  scenario_.site_name = file_.site.front().first;
  scenario_.site = file_.site.front().second;
}

std::optional<Cluster> Resolver::cluster(const std::string& name, const std::string& node, const std::string& gpu, const CostTable& cost,
                                         const Place& place) {
  Cluster cluster;
  cluster.name = name;
  cluster.node_id = node;
  cluster.cost = cost;
  const bool found = collecting([&] {
    const std::string path = hardware::find_profile(hardware::node_folder(share_), "node", node, place);
    cluster.node = hardware::load_node(path, diagnostics_);
    scenario_.inputs.push_back(path);
    if (diagnostics_.failed()) return;
    cluster.gpu_id = gpu.empty() ? cluster.node.gpu : gpu;
    const std::string gpu_path = hardware::find_profile(hardware::gpu_folder(share_), "GPU", cluster.gpu_id, place);
    cluster.gpu = hardware::load_gpu(gpu_path, diagnostics_);
    scenario_.inputs.push_back(gpu_path);
    const hardware::TableFiles& tables = cluster.gpu.tables;
    if (!tables.operations.empty()) scenario_.inputs.push_back(tables.operations);
    scenario_.inputs.insert(scenario_.inputs.end(), tables.layers.begin(), tables.layers.end());
  });
  if (!found || diagnostics_.failed()) return std::nullopt;
  return cluster;
}

void Resolver::clusters() {
  for (const auto& [name, table] : file_.cluster) {
    auto made = cluster(name, table.node, table.gpu, table.cost, table.place);
    if (!made) continue;
    made->nodes = static_cast<int>(table.nodes);
    scenario_.clusters.push_back(*std::move(made));
  }
}

std::optional<std::size_t> Resolver::pool_cluster(const std::string& name, const PoolTable& table) {
  if (table.cluster.empty() == table.node.empty()) {
    diagnostics_.error(table.place, table.cluster.empty() ? "the pool has neither cluster nor node" : "the pool has both cluster and node",
                       "name a [cluster] table, or write node = \"dgx-h100\" to have one made");
    return std::nullopt;
  }
  if (!table.cluster.empty()) {
    for (std::size_t i = 0; i < scenario_.clusters.size(); ++i) {
      if (scenario_.clusters[i].name == table.cluster) return i;
    }
    if (find(file_.cluster, table.cluster) == nullptr) {
      diagnostics_.error(table.place, "there is no [cluster." + table.cluster + "]", nearest_table(file_.cluster, table.cluster) + "add it, or use node");
    }
    return std::nullopt;
  }
  auto made = cluster(name, table.node, table.gpu, table.cost, table.place);
  if (!made) return std::nullopt;
  const auto gpus = made->node.gpus;
  const auto width = table.tensor_parallel_size;
  if (width <= gpus) {
    const std::int64_t per_node = gpus / width;
    made->nodes = static_cast<int>((table.replicas + per_node - 1) / per_node);
    scenario_.notes.push_back(fmt::format("pool \"{}\" made a cluster of {} x {}", name, made->nodes, made->node.name));
  }
  scenario_.clusters.push_back(*std::move(made));
  return scenario_.clusters.size() - 1;
}

void Resolver::pool(const std::string& name, const PoolTable& table) {
  const auto index = pool_cluster(name, table);
  if (!index) return;
  const Cluster& cluster = scenario_.clusters[*index];
  Pool pool;
  pool.name = name;
  pool.cluster = *index;
  pool.model_name = table.model;
  pool.tensor_parallel_size = static_cast<int>(table.tensor_parallel_size);
  pool.replicas = static_cast<int>(table.replicas);
  pool.speed_factor = table.speed_factor;
  if (pool.tensor_parallel_size > cluster.node.gpus) {
    diagnostics_.error(table.place,
                       fmt::format("tensor_parallel_size {} does not fit a node of {} GPUs", pool.tensor_parallel_size, cluster.node.gpus),
                       fmt::format("choose at most {}; a replica lies in one node", cluster.node.gpus));
    return;
  }
  const ModelTable* model = find(file_.model, table.model);
  const std::string architecture = model != nullptr ? model->architecture : table.model;
  const Place& place = model != nullptr ? model->place : table.place;
  const bool found = collecting([&] {
    const std::string path = hardware::find_profile(hardware::model_folder(share_), "model", architecture, place);
    pool.model = llm::load_architecture(path, diagnostics_);
    scenario_.inputs.push_back(path);
    if (!diagnostics_.failed()) llm::check_tensor_parallel(pool.model, pool.tensor_parallel_size, table.place);
  });
  if (!found || diagnostics_.failed()) return;
  engine(pool, table, cluster.gpu);
  operating_point(pool, table, cluster.gpu);
  scenario_.pools.push_back(std::move(pool));
}

void Resolver::engine(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu) {
  EngineTable engine;
  if (const EngineTable* named = find(file_.engine, table.engine.empty() ? "default" : table.engine)) {
    engine = *named;
  } else if (!table.engine.empty()) {
    diagnostics_.error(table.place, "there is no [engine." + table.engine + "]", nearest_table(file_.engine, table.engine) + "add it, or leave engine out");
    return;
  }
  pool.engine = engine.config;
  pool.engine.over_context = engine.over_context == "truncate" ? serving::OverContext::truncate : serving::OverContext::reject;
  pool.gpu_memory_utilization = engine.gpu_memory_utilization.value;
  if (engine.num_gpu_blocks_override) {
    pool.blocks_given = true;
    pool.engine.num_gpu_blocks = *engine.num_gpu_blocks_override;
  } else if (!collecting([&] {
               pool.engine.num_gpu_blocks = serving::kv_blocks(gpu, pool.model, pool.tensor_parallel_size, pool.engine,
                                                               pool.gpu_memory_utilization, table.place);
             })) {
    return;
  }
  const std::int64_t capacity = (pool.engine.num_gpu_blocks - 1) * pool.engine.block_size;
  if (engine.max_model_len) {
    pool.engine.max_model_len = *engine.max_model_len;
    if (*engine.max_model_len > pool.model.max_position) {
      diagnostics_.error(engine.place, fmt::format("max_model_len {} is longer than the model's context of {}", *engine.max_model_len, pool.model.max_position),
                         fmt::format("choose at most {}", pool.model.max_position));
    } else if (*engine.max_model_len > capacity) {
      diagnostics_.error(engine.place, fmt::format("max_model_len {} does not fit the KV cache of {} tokens", *engine.max_model_len, capacity),
                         fmt::format("choose at most {}, more GPUs a replica, or a larger gpu_memory_utilization", capacity));
    }
  } else {
    pool.engine.max_model_len = std::min(pool.model.max_position, capacity);
    if (capacity < pool.model.max_position) {
      scenario_.notes.push_back(fmt::format("pool \"{}\": max_model_len is {}, what the KV cache holds (the model's context is {})", pool.name, capacity,
                                            pool.model.max_position));
    }
  }
}

void Resolver::operating_point(Pool& pool, const PoolTable& table, const hardware::GpuProfile& gpu) {
  serving::OperatingPoint point = serving::default_point(gpu);
  if (table.sm_clock.prefill) point.prefill_clock = *table.sm_clock.prefill;
  if (table.sm_clock.decode) point.decode_clock = *table.sm_clock.decode;
  if (table.gpu_power_limit) point.cap = table.gpu_power_limit;
  collecting([&] { serving::check_point(gpu, point, table.place); });
  pool.prefill_clock = table.sm_clock.prefill;
  pool.decode_clock = table.sm_clock.decode;
  pool.power_limit = table.gpu_power_limit;
}

void Resolver::traffic(const std::string& name, const TrafficTable& table) {
  Traffic traffic;
  traffic.name = name;
  traffic.length_prediction = table.length_prediction;
  traffic.slo = table.slo;
  if (table.num_requests) traffic.num_requests = static_cast<std::uint64_t>(*table.num_requests);
  traffic.trace = table.requests.trace;
  const std::string histogram = table.requests.histogram.empty() ? table.lengths : table.requests.histogram;
  const int sources = (traffic.trace ? 1 : 0) + (table.requests.histogram.empty() ? 0 : 1) + (table.lengths.empty() ? 0 : 1);
  if (sources != 1) {
    diagnostics_.error(table.place, sources == 0 ? "the traffic has neither requests nor lengths" : "the traffic has both requests and lengths",
                       "write requests = \"azure-2023-conv\" with request_rate, or a trace, or arrivals with lengths");
    return;
  }
  if (traffic.trace) {
    scenario_.inputs.push_back(traces::trace_path(*traffic.trace));
    if (table.request_rate) scenario_.notes.push_back(fmt::format("traffic \"{}\": request_rate is ignored, the trace has arrivals of its own", name));
    if (table.arrivals) diagnostics_.error(table.place, "a trace has arrivals of its own", "remove arrivals, or take lengths in place of requests");
  } else {
    collecting([&] { traffic.histogram_path = histogram_path(share_, histogram, table.place); });
    traffic.histogram = histogram;
    scenario_.inputs.push_back(traffic.histogram_path);
    if (table.arrivals) {
      traffic.arrivals = *table.arrivals;
      if (table.request_rate) diagnostics_.error(table.place, "request_rate stands twice", "keep the one in arrivals");
    } else if (!table.request_rate) {
      diagnostics_.error(table.place, "the traffic has no request_rate", "write request_rate = \"5.5 /s\"");
    } else {
      traffic.arrivals.request_rate = *table.request_rate;
    }
    if (traffic.arrivals.request_rate.si() > 1e7) {
      diagnostics_.error(table.place, fmt::format("request_rate {:g} /s is above 1e7 /s", traffic.arrivals.request_rate.si()), "choose a lower one");
    }
  }
  traffic_pools(traffic, table);
  scenario_.traffics.push_back(std::move(traffic));
}

void Resolver::traffic_pools(Traffic& traffic, const TrafficTable& table) {
  traffic.models = table.models;
  if (traffic.models.empty()) {
    for (const Pool& pool : scenario_.pools) {
      if (std::find(traffic.models.begin(), traffic.models.end(), pool.model_name) == traffic.models.end()) traffic.models.push_back(pool.model_name);
    }
    if (traffic.models.size() > 1) {
      diagnostics_.error(table.place, "the pools have several models and the traffic does not say which may answer", "write models = [\"" + traffic.models.front() + "\"]");
    }
  } else if (traffic.models.size() > 1) {
    diagnostics_.error(table.place, "choosing among several models is not yet supported", "name one model");
  }
  for (std::size_t i = 0; i < scenario_.pools.size(); ++i) {
    if (std::find(traffic.models.begin(), traffic.models.end(), scenario_.pools[i].model_name) != traffic.models.end()) traffic.pools.push_back(i);
  }
  if (traffic.pools.empty() && !diagnostics_.failed()) {
    diagnostics_.error(table.place, "no pool serves a model of this traffic", "name a model that a pool has");
  }
}

void Resolver::currencies() {
  std::string first;
  const auto same = [&](const std::string& currency, const Place& place) {
    if (first.empty()) first = currency;
    if (currency != first) {
      diagnostics_.error(place, "costs are in " + first + " and in " + currency, "write all of them in one currency");
    }
  };
  if (scenario_.site.price) same(scenario_.site.price->currency, scenario_.site.place);
  for (const Cluster& cluster : scenario_.clusters) {
    if (cluster.cost.rental) same(cluster.cost.rental->currency, cluster.cost.place);
    if (cluster.cost.capital) same(cluster.cost.capital->currency, cluster.cost.place);
  }
}

void Resolver::router() {
  const RouterTable& table = file_.router;
  scenario_.report_period = table.report_period;
  scenario_.replica_policy = table.replica;
  config::Table parameters;
  Place place = table.place;
  for (const auto& [name, node] : file_.policy) {
    const auto* entries = node.as<config::Table>();
    const config::Node* use = entries->find("use");
    const auto* used = use == nullptr ? nullptr : use->as<std::string>();
    if (used == nullptr) {
      diagnostics_.error(node.place(), "[policy." + name + "] does not say which policy it uses", "add use = \"round_robin\"; see `joulecast policies`");
      continue;
    }
    if (name != table.replica) continue;
    scenario_.replica_policy = *used;
    place = use->place();
    for (const auto& entry : entries->entries) {
      if (entry.key != "use") parameters.entries.push_back({entry.key, entry.place, std::make_unique<config::Node>(*entry.value)});
    }
  }
  scenario_.replica_policy_parameters = config::Node(std::move(parameters), place);
  if (const policy::RoutingPolicy* policy = policy::find_routing_policy(scenario_.replica_policy)) {
    policy->make(&scenario_.replica_policy_parameters, diagnostics_);
    return;
  }
  std::vector<std::string> known = policy::routing_policy_names();
  for (const auto& each : file_.policy) known.push_back(each.first);
  const std::string near = config::nearest(scenario_.replica_policy, known);
  diagnostics_.error(place, "there is no policy \"" + scenario_.replica_policy + "\" that chooses a replica",
                     (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "`joulecast policies` lists them");
}

}  // namespace

Scenario load(const std::string& path, const LoadOptions& options) {
  config::Node root = config::load(path);
  for (const auto& assignment : options.sets) config::set(root, assignment);
  Diagnostics diagnostics;
  File file = file_record().read(root, diagnostics);
  diagnostics.throw_if_failed();
  if (file.name.empty()) file.name = std::filesystem::path(path).stem().string();
  if (file.name.find_first_of("/\\\n") != std::string::npos || file.name == "." || file.name == "..") {
    diagnostics.error({path, 0, 0}, "the name \"" + file.name + "\" can't name a folder", "leave out slashes and line ends");
  }
  if (options.seed) file.seed = static_cast<std::int64_t>(*options.seed);
  Scenario scenario = Resolver(file, options.share_dir, diagnostics).resolve();
  if (!diagnostics.failed()) check_placement(scenario, diagnostics);
  diagnostics.throw_if_failed();
  std::sort(scenario.inputs.begin(), scenario.inputs.end());
  scenario.inputs.erase(std::unique(scenario.inputs.begin(), scenario.inputs.end()), scenario.inputs.end());
  for (const auto& note : diagnostics.notes()) scenario.notes.push_back(note);
  return scenario;
}

std::string run_hash(const Scenario& scenario) {
  std::string content = resolved_toml(scenario);
  for (const auto& input : scenario.inputs) content += "\n" + sha256_of_file(input);
  return sha256(content).substr(0, 16);
}

std::vector<config::Parameter> schema() { return file_record().describe(); }

}  // namespace joulecast::scenario
