#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "scenario/result.hpp"
#include "scenario/scenario.hpp"

namespace joulecast::scenario {

struct RunOptions {
  int threads = 1;
  engine::Grouping grouping = engine::Grouping::derived;
  std::uint64_t grouping_seed = 0;
  bool step_mode = false;  ///< one event a step instead of stretches: same bits, slower
  bool fingerprints = false;
  bool keep_requests = false;  ///< fill Result::requests
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double now_s, double horizon_s, std::uint64_t events)> progress;
};

/// Runs a scenario. The only way to run: no globals, no output, no signal handling; several at once in one process give the same bits. Throws
/// UserError for faults found on the way (a trace's bad row), Bug where the audit fails.
Result simulate(const Scenario& scenario, const RunOptions& options);

/// What would run, worked out in closed form without running: for `check`.
struct PoolForecast {
  std::string name, model, gpu, node;
  int replicas = 0, tensor_parallel_size = 0, gpus = 0, nodes = 0;
  std::uint64_t kv_blocks = 0, kv_tokens = 0;
  double nameplate_watts = 0;             ///< GPUs at their limit + host + fans, AC
  double sustainable_requests_per_s = 0;  ///< of the traffic's mean request, all replicas
};
struct TrafficForecast {
  std::string name;
  std::uint64_t requests = 0;  ///< 0 where the number is not known before the run
  double requests_per_s = 0, mean_input = 0, mean_output = 0;
  std::uint64_t over_context = 0;
};
struct FeedForecast {
  std::string name, site;
  double rating_watts = 0, usable_watts = 0;
  double nameplate_watts = 0;  ///< of every node on it, GPUs at their limit, with its network
};
struct Forecast {
  std::vector<PoolForecast> pools;
  std::vector<TrafficForecast> traffics;
  std::vector<FeedForecast> feeds;
  int unused_gpus = 0;
  double offered_over_sustainable = 0;
  std::vector<std::string> notes;
};
Forecast forecast(const Scenario& scenario);

}  // namespace joulecast::scenario
