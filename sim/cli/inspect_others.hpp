#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/console.hpp"
#include "traces/chassis/log.hpp"
#include "traces/load/log.hpp"

namespace joulecast::cli {

/// A log of load or of a chassis, as JSON and for people.
nlohmann::ordered_json load_json(const traces::LoadLog& log);
std::string load_text(const traces::LoadLog& log, const Console& console);
nlohmann::ordered_json chassis_json(const traces::ChassisLog& log);
std::string chassis_text(const traces::ChassisLog& log, const Console& console);

}  // namespace joulecast::cli
