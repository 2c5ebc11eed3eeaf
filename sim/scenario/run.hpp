#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/simulation.hpp"
#include "metering/ledger.hpp"
#include "scenario/placement.hpp"
#include "scenario/scenario.hpp"
#include "scenario/simulate.hpp"
#include "serving/replica.hpp"
#include "serving/requests.hpp"
#include "serving/router.hpp"
#include "serving/step_cost.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::scenario {

/// A scenario built into entities, meters and tables. Build it, run it once, read it out.
class Run {
 public:
  Run(const Scenario& scenario, const RunOptions& options);

  engine::RunStats run();
  /// `stats` is what `run` gave.
  Result result(const engine::RunStats& stats);

 private:
  /// One traffic's requests, and who brings them.
  struct Brought {
    std::shared_ptr<serving::RequestTable> table;
    std::shared_ptr<traces::ReadCounts> counts;  ///< null where the requests are generated
    std::unique_ptr<engine::Views<serving::ReplicaView>> views;
    std::pair<engine::EntityId, serving::Router*> router;
  };
  struct PoolParts {
    std::unique_ptr<serving::StepCosts> costs;
    std::vector<metering::Meter*> meters;
    std::vector<std::unique_ptr<serving::Replica>> made;  ///< until they are in the simulation
    std::vector<serving::Replica*> replicas;
    std::vector<engine::EntityId> ids;
  };
  struct UnusedGpus {
    metering::Meter* meter;
    Watts bare_idle;  ///< of all its GPUs
  };

  void meter_hardware();
  void make_replicas();
  void add_sources_and_routers();
  void add_replicas();
  std::unique_ptr<traces::RequestStream> stream(const Traffic& traffic, std::shared_ptr<traces::ReadCounts>& counts) const;
  void charge_unused(Time end);
  void state_provenance();

  PoolResult pool_result(std::size_t index, Time end) const;
  TrafficResult read_traffic(std::size_t index, Time end) const;
  void read_money_and_carbon(Result& result, FixedEnergy attributed) const;
  void read_coverage(Result& result) const;

  const Scenario& scenario_;
  const RunOptions& options_;
  Placement placement_;
  Time warmup_;
  metering::Ledger ledger_;
  std::vector<PoolParts> pools_;
  std::vector<Brought> traffics_;
  std::vector<UnusedGpus> unused_;
  engine::Simulation simulation_;
};

}  // namespace joulecast::scenario
