#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenario/load_plan.hpp"
#include "study/fleet_figures.hpp"
#include "study/fleet_judgement.hpp"
#include "study/node_search.hpp"
#include "study/plan_turns.hpp"

namespace joulecast::study {

/// What became of a candidate.
enum class FleetVerdict : std::uint8_t {
  does_not_fit,  ///< its choices do not go together: weights and KV in the GPUs' memory, widths in a node
  ruled_out,     ///< by a bound in closed form, or far beyond an estimate
  not_held,      ///< no number of nodes that is allowed holds every SLO
  over_limit,    ///< the fewest nodes that hold are over a limit of the plan or of their feed
  holds
};
const char* name(FleetVerdict verdict);

/// What is known of a candidate in closed form.
struct FleetBounds {
  double step_s = 0;                    ///< a decode step of one sequence: the least TPOT
  double prompt_s = 0;                  ///< a prompt of one token: the least TTFT
  double node_requests_per_s = 0;       ///< of mean requests that a node sustains (scenario::forecast)
  std::optional<int> keeping_up_nodes;  ///< that keep up with the planned load, those down counted in; absent of a closed loop
};

/// A run of the survivors at the grown load.
struct SurvivorRun {
  int nodes = 0;  ///< of the whole fleet
  std::vector<TailJudgement> tails;
};

struct HeldLoad {
  FoundLoad found;          ///< factors on the scenario's load
  std::string fails_first;  ///< beyond it: "chat: ttft"
};

struct PlannedFleet {
  scenario::PlanCandidate candidate;
  std::string gpu;
  int gpus_per_node = 0, replicas_per_node = 0, tensor_parallel_size = 0;
  FleetVerdict verdict = FleetVerdict::does_not_fit;
  std::string why;  ///< where it does not hold
  std::optional<FleetBounds> bounds;
  FoundNodes found;
  std::optional<FleetFigures> figures;        ///< of the whole fleet at the planned load, without growth and with all nodes up
  std::optional<double> grown_peak_it_watts;  ///< of all nodes at the grown load, in the same window; where power is limited and the load grows
  std::optional<SurvivorRun> survivors, one_fewer;
  std::optional<HeldLoad> load;  ///< of the survivors

  bool holds() const { return verdict == FleetVerdict::holds; }
};

struct Plan {
  std::string name;
  std::uint64_t seed = 0;
  scenario::PlanTable settings;
  std::string currency;
  std::vector<std::string> notes;  ///< what was widened, what is not known
  std::vector<PlannedFleet> fleets;
  std::optional<std::size_t> cheapest, most_frugal, smallest;  ///< positions in `fleets`
  std::vector<Turn> turns;                                     ///< of the cheapest, where costs are known
  std::string binding;                                         ///< what stands in the way where nothing holds
  std::vector<scenario::Input> inputs;

  std::optional<std::size_t> headline() const;
};

struct PlanOptions {
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::size_t done, std::size_t all)> progress;  ///< candidates; called from any thread, one call at a time
};

/// What a plan is made of: its settings, every candidate's scenario, the content of every input. 16 hexadecimal digits.
std::string plan_hash(const scenario::PlanInput& input);

/// Finds for every candidate the fewest whole nodes whose survivors hold every SLO at the grown load, and what that fleet takes at the planned one. Bounds in
/// closed form rule out first; simulation decides. The same for any number of threads. nullopt where it was stopped. Throws UserError for a plan that cannot
/// be made: a traffic too short for the tail it claims and not to be widened, nodes without a price where cost decides.
std::optional<Plan> plan(const scenario::PlanInput& input, const PlanOptions& options);

}  // namespace joulecast::study
