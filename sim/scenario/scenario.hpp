#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/node.hpp"
#include "hardware/gpu.hpp"
#include "hardware/node.hpp"
#include "llm/architecture.hpp"
#include "scenario/tables/cluster.hpp"
#include "scenario/tables/site.hpp"
#include "scenario/tables/traffic.hpp"
#include "serving/engine_config.hpp"
#include "traces/requests/arrivals.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::scenario {

enum class AtEnd : std::uint8_t { cut, drain };

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
