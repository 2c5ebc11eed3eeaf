#pragma once

#include <optional>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "control/power_controller.hpp"

namespace joulecast::scenario {

/// `priority = "high" | "low"` of a pool's or a traffic's table.
template <class T>
void read_priority(T& table, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto* word = node.as<std::string>();
  if (word != nullptr && (*word == "high" || *word == "low")) {
    table.priority = *word == "high" ? control::Priority::high : control::Priority::low;
  } else {
    diagnostics.error(node.place(), "priority is neither \"high\" nor \"low\"", "write \"high\" or \"low\"");
  }
}

}  // namespace joulecast::scenario
