#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "hardware/gpu.hpp"
#include "hardware/node.hpp"
#include "llm/architecture.hpp"
#include "serving/engine_config.hpp"
#include "traces/requests/arrivals.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::scenario {

enum class AtEnd : std::uint8_t { cut, drain };

/// What the file says, key by key, before names are looked up. One struct a table; units are gone, places stay.
struct TimeTable {
  std::optional<Seconds> duration;
  Seconds warmup{0};
  std::optional<std::string> at_end;
  Seconds bin{1};
  Place place;
};

struct SiteTable {
  double pue = 1;
  std::optional<config::Priced<MoneyPerJoule>> price;
  std::optional<GramsPerJoule> carbon;
  Place place;
};

struct CostTable {
  std::optional<config::Priced<MoneyPerSecond>> rental;
  std::optional<config::Priced<Money>> capital;
  std::optional<Seconds> life;
  Place place;
};

struct ClusterTable {
  std::string node;
  std::string gpu;
  std::int64_t nodes = 0;
  CostTable cost;
  Place place;
};

struct ModelTable {
  std::string architecture;
  Place place;
};

struct EngineTable {
  serving::EngineConfig config;
  std::string vllm_version = "0.19";
  std::optional<std::int64_t> max_model_len;
  std::optional<std::int64_t> num_gpu_blocks_override;
  config::Share gpu_memory_utilization{0.9};
  std::string over_context = "reject";
  Place place;
};

struct ClockTable {
  std::optional<Hertz> prefill, decode;  ///< both absent: "auto", the profile's highest clock
};

struct PoolTable {
  std::string cluster, node, gpu;
  std::string model;
  std::string engine;
  std::int64_t tensor_parallel_size = 1;
  std::int64_t replicas = 1;
  ClockTable sm_clock;
  std::optional<Watts> gpu_power_limit;  ///< absent: "default", the profile's
  double speed_factor = 1;
  CostTable cost;
  Place place;
};

struct SloTable {
  std::optional<Seconds> ttft, tpot, e2e;
  config::Share attainment{0.99};
  bool required = false;
  Place place;
};

struct RequestsTable {
  std::string histogram;  ///< the name of a shipped one or a path, or
  std::optional<traces::TraceOptions> trace;
};

struct TrafficTable {
  RequestsTable requests;
  std::optional<traces::Arrivals> arrivals;
  std::string lengths;
  std::optional<Hertz> request_rate;
  std::optional<std::int64_t> num_requests;
  std::vector<std::string> models;
  std::string length_prediction;
  std::optional<SloTable> slo;
  Place place;
};

struct RouterTable {
  std::string replica = "round_robin";
  std::optional<Seconds> report_period;
  Place place;
};

/// The checked scenario: names are looked up, defaults are in, everything fits. `simulate` takes it as it is.
struct Cluster {
  std::string name;
  hardware::NodeProfile node;
  hardware::GpuProfile gpu;
  std::string node_id, gpu_id;  ///< as written
  int nodes = 0;
  CostTable cost;
};

struct Pool {
  std::string name;
  std::size_t cluster = 0;
  std::string model_name;  ///< the [model] table's name, or the architecture's id
  llm::Architecture model;
  serving::EngineConfig engine;
  double gpu_memory_utilization = 0.9;
  bool blocks_given = false;
  int tensor_parallel_size = 1, replicas = 1;
  std::optional<Hertz> prefill_clock, decode_clock;
  std::optional<Watts> power_limit;
  double speed_factor = 1;
};

struct Traffic {
  std::string name;
  std::optional<traces::TraceOptions> trace;
  std::string histogram, histogram_path;
  traces::Arrivals arrivals;
  std::optional<std::uint64_t> num_requests;
  std::vector<std::size_t> pools;  ///< eligible
  std::vector<std::string> models;
  std::string length_prediction;
  std::optional<SloTable> slo;
};

struct Scenario {
  std::string name;
  std::uint64_t seed = 1;
  std::optional<Seconds> duration;  ///< absent: until the trace ends
  Seconds warmup{0};
  Seconds bin{1};
  AtEnd at_end = AtEnd::cut;
  std::string site_name;
  SiteTable site;
  std::vector<Cluster> clusters;
  std::vector<Pool> pools;
  std::vector<Traffic> traffics;
  std::string replica_policy;  ///< a registered name
  config::Node replica_policy_parameters{config::Table{}, {}};
  std::optional<Seconds> report_period;
  std::vector<std::string> inputs;  ///< every file that was read or will be
  std::vector<std::string> notes;   ///< what a person should know of how the file was understood
};

}  // namespace joulecast::scenario
