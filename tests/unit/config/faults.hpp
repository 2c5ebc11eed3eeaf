#pragma once

#include <string>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"

/// The faults that `action` reports or throws, as "line:column what | remedy", sorted as a person sees them.
template <class F>
std::vector<std::string> faults_of(F&& action) {
  std::vector<std::string> out;
  try {
    joulecast::config::Diagnostics diagnostics;
    action(diagnostics);
    diagnostics.throw_if_failed();
  } catch (const joulecast::UserError& error) {
    for (const joulecast::UserFault& fault : error.faults()) {
      out.push_back(std::to_string(fault.place.line) + ":" + std::to_string(fault.place.column) + " " + fault.what + " | " + fault.remedy);
    }
  }
  return out;
}

using Faults = std::vector<std::string>;
