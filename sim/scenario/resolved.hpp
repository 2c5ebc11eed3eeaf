#pragma once

#include "scenario/scenario.hpp"
#include "scenario/toml_writer.hpp"

namespace joulecast::scenario {

/// The tables of a resolved scenario, every default written out.
TomlWriter resolved_cluster(const Cluster& cluster);
TomlWriter resolved_engine(const Pool& pool);
TomlWriter resolved_pool(const Scenario& scenario, const Pool& pool);
TomlWriter resolved_traffic(const Traffic& traffic);

}  // namespace joulecast::scenario
