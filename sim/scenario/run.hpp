#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/length_prediction.hpp"
#include "engine/simulation.hpp"
#include "metering/ledger.hpp"
#include "scenario/placement.hpp"
#include "scenario/scenario.hpp"
#include "scenario/simulate.hpp"
#include "scenario/training_costs.hpp"
#include "scenario/training_plan.hpp"
#include "serving/closed_loop.hpp"
#include "serving/governor.hpp"
#include "serving/kv_transfer.hpp"
#include "serving/operating_points.hpp"
#include "serving/replica.hpp"
#include "serving/requests.hpp"
#include "serving/router.hpp"
#include "serving/source.hpp"
#include "serving/step_cost.hpp"
#include "traces/requests/request.hpp"
#include "training/job.hpp"

namespace joulecast::scenario {

/// A scenario built into entities, meters and tables. Build it, run it once, read it out.
class Run {
 public:
  Run(const Scenario& scenario, const RunOptions& options);

  engine::RunStats run();
  /// `stats` is what `run` gave.
  Result result(const engine::RunStats& stats);

 private:
  /// The router that brings the done prompts of a model's prefill pools to its decode pools.
  struct DecodeStage {
    std::vector<std::size_t> producers, consumers;  ///< pools
    std::unique_ptr<engine::Views<serving::ReplicaView>> views;
    std::pair<engine::EntityId, serving::Router*> router;
  };
  /// One traffic's requests, and who brings them.
  struct Brought {
    std::shared_ptr<serving::RequestTable> table;
    std::shared_ptr<traces::ReadCounts> counts;  ///< null where the requests are generated
    std::unique_ptr<engine::Views<serving::ReplicaView>> views;
    std::pair<engine::EntityId, serving::Router*> router;
    std::vector<DecodeStage> decode;  ///< one a model whose prompts and answers are apart
  };
  struct PoolParts {
    std::unique_ptr<serving::OperatingPoints> points;
    const serving::StepCosts* costs = nullptr;  ///< of point 0
    std::unique_ptr<control::ClockController> clocks;
    std::unique_ptr<control::Scaler> scaler;  ///< until the governor has them
    bool governed = false;                    ///< its operating point may change
    std::vector<metering::Meter*> meters;
    std::vector<std::unique_ptr<serving::Replica>> made;  ///< until they are in the simulation
    std::vector<serving::Replica*> replicas;
    std::vector<engine::EntityId> ids;
  };
  struct JobParts {
    std::shared_ptr<const JobPlan> plan;
    std::size_t account = 0;                                ///< of the ledger's pools
    std::vector<std::vector<training::JobDevice>> devices;  ///< by class of replicas and stage
    training::Job* job = nullptr;
  };
  struct UnusedGpus {
    metering::Meter* meter;
    Watts bare_idle;  ///< of all its GPUs
  };

  void plan_jobs();
  void meter_hardware();
  void meter_jobs(const std::vector<std::vector<std::optional<std::size_t>>>& nodes);
  training::JobClasses register_job_classes();
  void add_jobs();
  void make_controllers();
  std::vector<serving::MeasuredNode> measured_nodes(std::size_t site, std::optional<std::size_t> feed) const;
  std::optional<serving::ModelLoading> model_loading(std::size_t pool) const;
  void make_replicas();
  void add_governor();
  void connect_governor();
  void read_control(Result& result, Time end) const;
  void add_sources_and_routers();
  void add_router(std::size_t index);
  std::unique_ptr<engine::Views<serving::ReplicaView>> views_of(const std::vector<std::size_t>& pools) const;
  serving::RouterSetup router_setup(const std::string& name, std::vector<serving::ReplicaGroup> groups,
                                    const engine::Views<serving::ReplicaView>& views);
  void connect_router(const std::pair<engine::EntityId, serving::Router*>& router, engine::Views<serving::ReplicaView>& views,
                      const std::vector<std::size_t>& pools, bool from_users);
  void add_decode_stages();
  void connect_transfers();
  serving::KvNetworkSetup kv_network_setup() const;
  void foresee(serving::PoolRouter& policy, const Traffic& traffic) const;
  serving::ContextLimit limit_of(const Traffic& traffic) const;
  void add_replicas();
  void close_loops();
  std::optional<serving::ClosedLoop> closed_loop(const Traffic& traffic) const;
  std::unique_ptr<traces::RequestStream> stream(const Traffic& traffic, std::shared_ptr<traces::ReadCounts>& counts) const;
  void charge_unused(Time end);
  void state_provenance();

  PoolResult pool_result(std::size_t index, Time end) const;
  TrainingResult training_result(std::size_t index) const;
  TrafficResult read_traffic(std::size_t index, Time end) const;
  void read_money(Result& result, FixedEnergy attributed) const;
  void read_sites(Result& result, Time end) const;
  void read_feeds(Result& result) const;
  void read_coverage(Result& result) const;
  void read_routing(Result& result) const;
  /// What tells a traffic's router output lengths, afresh; nothing where no policy asked.
  std::optional<control::LengthPredictor> predictor(const Traffic& traffic) const;

  const Scenario& scenario_;
  const RunOptions& options_;
  Placement placement_;
  Time warmup_;
  metering::Ledger ledger_;
  std::vector<PoolParts> pools_;
  std::vector<JobParts> jobs_;
  training::JobClasses job_classes_;
  std::vector<Brought> traffics_;
  std::vector<engine::EntityId> sources_;  ///< one a traffic
  std::vector<UnusedGpus> unused_;
  std::pair<engine::EntityId, serving::KvNetwork*> kv_network_{0, nullptr};
  std::vector<serving::GovernedPower> power_;  ///< until the governor has them
  std::pair<engine::EntityId, serving::Governor*> governor_{0, nullptr};
  engine::Simulation simulation_;
};

}  // namespace joulecast::scenario
