#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/load.hpp"
#include "scenario/tables/plan.hpp"

namespace joulecast::scenario {

/// A kind of fleet: one choice of every key that is chosen. Its scenario stands for any number of nodes (`with_nodes`).
struct PlanCandidate {
  std::string name;                                           ///< "dgx-h100-tp4", good as a file's
  std::string node;                                           ///< as written
  std::vector<std::pair<std::string, std::string>> settings;  ///< key and value as TOML, node left out
  std::optional<Scenario> scenario;                           ///< of one node, all its GPUs in use; absent where the choice does not go together
  std::string fault;                                          ///< why not
  std::string cost_source;                                    ///< where rental or capital come from; "" where none is known
  std::optional<Grams> embodied_carbon;                       ///< of a GPU
  std::optional<Seconds> life;                                ///< over which the embodied carbon is spread
  std::string embodied_source;

  /// The node, with its GPU where that is chosen: "dgx-h100", "dgx-h100 with H100 SXM".
  std::string hardware() const;
};

struct PlanInput {
  PlanTable plan;
  std::string name;
  Scenario given;  ///< the file as it stands, without [plan]
  std::vector<PlanCandidate> candidates;
};

/// Reads a scenario file with its `[plan]` and resolves every candidate. Throws UserError with all faults: of the file, of keys that no candidate has; one
/// without `[plan]`, with more than one pool or with training jobs; node names that are not known.
PlanInput load_plan(const std::string& path, const LoadOptions& options);

/// The candidate's fleet of so many whole nodes, every replica that fits on them.
Scenario with_nodes(Scenario scenario, int nodes);

}  // namespace joulecast::scenario
