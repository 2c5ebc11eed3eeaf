#pragma once

#include <optional>
#include <string>

#include "config/record.hpp"
#include "scenario/tables/cluster.hpp"
#include "scenario/tables/compare.hpp"
#include "scenario/tables/currency.hpp"
#include "scenario/tables/engine.hpp"
#include "scenario/tables/feed.hpp"
#include "scenario/tables/model.hpp"
#include "scenario/tables/plan.hpp"
#include "scenario/tables/pool.hpp"
#include "scenario/tables/router.hpp"
#include "scenario/tables/site.hpp"
#include "scenario/tables/sweep.hpp"
#include "scenario/tables/time.hpp"
#include "scenario/tables/traffic.hpp"
#include "scenario/tables/training.hpp"

namespace joulecast::scenario {

/// The whole file as it stands, before names are looked up: one struct a table (tables/); units are gone, places stay.
struct File {
  std::int64_t schema = 1;
  std::string name;
  std::int64_t seed = 1;
  TimeTable time;
  CurrencyTable currency;
  config::NamedTables<SiteTable> site;
  config::NamedTables<FeedTable> feed;
  config::NamedTables<ClusterTable> cluster;
  config::NamedTables<ModelTable> model;
  config::NamedTables<EngineTable> engine;
  config::NamedTables<PoolTable> pool;
  config::NamedTables<TrafficTable> traffic;
  config::NamedTables<TrainingTable> training;
  RouterTable router;
  std::optional<CompareTable> compare;       ///< read by `load_arms`; a run leaves it alone
  std::optional<PlanTable> plan;             ///< read by `load_plan`; a run leaves it alone
  std::optional<SweepTable> sweep;           ///< read by `load_sweep`; likewise
  config::NamedTables<config::Node> policy;  ///< read by the registered policy that `use` names
};

/// The record of the whole file: reading, `schema` and the docs come from it.
config::Record<File> file_record();

}  // namespace joulecast::scenario
