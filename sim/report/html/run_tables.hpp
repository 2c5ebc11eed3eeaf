#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "report/html/figure_table.hpp"

namespace joulecast::report {

/// The headline tables of a run's summary.json: energy at the boundaries, latencies, pools, training, feeds, cost.
std::vector<FigureTable> run_tables(const nlohmann::ordered_json& summary);

}  // namespace joulecast::report
