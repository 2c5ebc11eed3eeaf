#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/node.hpp"
#include "control/clock_controller.hpp"
#include "control/energy_belief.hpp"
#include "control/power_controller.hpp"
#include "control/service_belief.hpp"
#include "hardware/fabric/fabric_profile.hpp"
#include "hardware/gpu.hpp"
#include "hardware/measured_steps.hpp"
#include "hardware/node.hpp"
#include "llm/architecture.hpp"
#include "scenario/length_facts.hpp"
#include "scenario/site.hpp"
#include "scenario/tables/cluster.hpp"
#include "scenario/tables/currency.hpp"
#include "scenario/tables/model.hpp"
#include "scenario/tables/traffic.hpp"
#include "scenario/training_job.hpp"
#include "serving/cost/class_factors.hpp"
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
  std::string node_id, gpu_id;                       ///< as written
  std::string fabric_id;                             ///< as written, a path absolute; "" where the cluster names none
  std::optional<hardware::FabricProfile> fabric;     ///< what node.network is of; absent where its nodes stand alone
  std::optional<hardware::FabricProfile> kv_fabric;  ///< what KV goes over between its nodes and from and to them; absent where none does
  int nodes = 0;
  CostTable cost;
  std::size_t site = 0;
  std::optional<std::size_t> feed;
};

struct Pool {
  std::string name;
  std::size_t cluster = 0;
  std::string model_name;  ///< the [model] table's name, or the architecture's id
  llm::Architecture model;
  std::string model_path;  ///< absolute, where the architecture is a file of the user's own
  std::optional<llm::DataType> quantization;
  std::optional<AccuracyTable> accuracy;
  std::optional<control::EnergyBelief> belief;    ///< where a policy asked for one
  std::optional<control::ServiceBelief> service;  ///< likewise
  serving::EngineConfig engine;
  std::optional<llm::Architecture> draft;  ///< what drafts cost, where a model makes them
  std::string draft_model;                 ///< as written, a path absolute
  double gpu_memory_utilization = 0.9;
  bool blocks_given = false;
  int tensor_parallel_size = 1, replicas = 1;
  /// GPUs of a replica: its data-parallel ranks' together.
  int gpus_per_replica() const { return tensor_parallel_size * static_cast<int>(engine.data_parallel_size); }
  std::optional<Hertz> prefill_clock, decode_clock;
  std::optional<Watts> power_limit;
  double speed_factor = 1;
  std::optional<hardware::MeasuredSteps> measured;
  std::optional<PolicyUse> clock_policy;  ///< the clocks above are what it begins with
  std::optional<control::ClockFacts> clock_facts;
  std::optional<PolicyUse> scaling;
  control::Priority priority = control::Priority::high;
  serving::ClassFactors drawn;  ///< what errors of the GPU's figures were drawn (error_sources.hpp)
};

/// What the tokens of a share of the generated requests are drawn from: a histogram's file, or the rows of a trace.
struct LengthsPart {
  std::string path;
  std::optional<traces::TraceOptions> trace;
  double share = 1;
};

struct Traffic {
  std::string name;
  std::optional<traces::TraceOptions> trace;
  std::optional<traces::RateScale> rate;     ///< of the trace
  std::optional<traces::Resample> resample;  ///< of the trace
  std::vector<LengthsPart> lengths;          ///< of generated requests
  traces::Arrivals arrivals;                 ///< of generated requests
  double prefix_hit_rate = 0;                ///< where a trace does not say which prompts share what
  std::optional<std::uint64_t> num_requests;
  std::vector<std::size_t> pools;         ///< eligible, those of role decode left out
  std::vector<std::size_t> decode_pools;  ///< eligible for what comes after a prompt
  std::vector<std::string> models;
  std::optional<control::LengthPrediction> length_prediction;
  bool chooses_pool = false;                ///< a policy chooses among its pools for each request
  std::optional<LengthFacts> length_facts;  ///< where a policy asked for them
  std::optional<SloTable> slo;
  std::optional<control::Priority> priority;
};

struct Scenario {
  std::string name;
  std::uint64_t seed = 1;
  std::optional<Seconds> duration;  ///< absent: until the trace ends
  Seconds warmup{0};
  Seconds bin{1};
  AtEnd at_end = AtEnd::cut;
  std::optional<Start> start;
  CurrencyTable currency;  ///< its base is "" where nothing costs
  std::vector<Site> sites;
  std::vector<Feed> feeds;
  std::vector<Cluster> clusters;
  std::vector<Pool> pools;
  std::vector<TrainingJob> jobs;
  std::vector<Traffic> traffics;
  std::string replica_policy;  ///< a registered name
  config::Node replica_policy_parameters{config::Table{}, {}};
  std::string decode_policy;  ///< of decode pools' replicas; a registered name
  config::Node decode_policy_parameters{config::Table{}, {}};
  std::string pool_policy;  ///< a registered name; "" where the replicas of all pools are one list
  config::Node pool_policy_parameters{config::Table{}, {}};
  std::optional<Seconds> report_period;
  std::size_t arms = 0;             ///< of `[compare]`, which a run leaves alone
  std::vector<std::string> inputs;  ///< every file that was read or will be
  std::vector<std::string> notes;   ///< what a person should know of how the file was understood
};

}  // namespace joulecast::scenario
