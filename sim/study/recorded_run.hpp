#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "traces/requests/vllm_run.hpp"

namespace joulecast::study {

/// Where a recorded run is simulated.
struct ReplaySettings {
  std::string share;   ///< the folder with hardware_profiles/ and workloads/
  std::string gpu;     ///< a GPU profile's name or alias; "" takes what the run says of its device
  std::string node;    ///< a node profile's name; "" takes the first one with that GPU
  std::string layers;  ///< a folder of layer times of this model on this card; "" takes what the GPU profile has
};

/// The scenario, as TOML, that has the run's engine arguments and its requests. Throws UserError for a model or GPU that is not known and for what no
/// scenario can say (a KV cache of another type).
std::string recorded_scenario(const traces::RecordedRun& run, const ReplaySettings& settings);

/// A request's times, seconds; `tpot` is absent where it gave one token.
struct RequestTimes {
  double ttft = 0, e2e = 0;
  std::optional<double> tpot;
};
struct ReplayedRequest {
  std::string id;
  std::int64_t input = 0, output = 0;
  double arrival_s = 0;
  RequestTimes measured, simulated;
};

/// A mean over all requests, as measured and as simulated.
struct MeanPair {
  double measured = 0, simulated = 0;
  double error() const { return simulated / measured - 1; }
};

struct Replay {
  std::vector<ReplayedRequest> requests;  ///< in the order of arrival
  MeanPair ttft, tpot, e2e;
  MeanPair makespan;  ///< from the first arrival to the last token
  std::uint64_t preemptions = 0;
  double mean_batch = 0;
  std::map<std::string, double> time_coverage;  ///< provenance of the simulated seconds -> share
  std::vector<std::string> notes;
};

/// All-reduces go over the link that the run states, where it does. Simulates the run with the engine's own arguments, nothing fitted, and lays both beside each other. Times are from the request's arrival at the engine to its tokens.
Replay replay(const traces::RecordedRun& run, const ReplaySettings& settings);

/// The rows of `replay` as CSV.
std::string replay_csv(const Replay& replay);

}  // namespace joulecast::study
