#pragma once

#include <string>

#include "config/node.hpp"

namespace joulecast::scenario {

/// A policy that a table names: the registered name, and its parameters without `use`.
struct PolicyUse {
  std::string use;
  config::Node parameters{config::Table{}, {}};  ///< its place is where the policy was named, or where it says `use`
};

}  // namespace joulecast::scenario
