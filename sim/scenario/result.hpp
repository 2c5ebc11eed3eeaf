#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metering/feed.hpp"
#include "metering/ledger.hpp"
#include "scenario/training_result.hpp"
#include "serving/requests.hpp"

namespace joulecast::scenario {

/// Mean and percentiles of seconds; NaN where there is no sample.
struct Distribution {
  double mean, p50, p90, p99;
};

/// A queue that grew through the run (find_overload).
inline constexpr std::size_t kQuarters = 4;
struct Overload {
  std::array<double, kQuarters> waiting{};  ///< requests that wait, mean of each quarter of the run
  double offered_requests_per_s = 0;
  double sustained_requests_per_s = 0;  ///< that began to run in its second half
};

/// One latency over the requests that its Distribution is over: seconds at latency_shares() (scenario/activity.hpp), and the SLO's limit.
struct LatencyCurve {
  std::vector<double> seconds;
  std::optional<double> limit_s;
};

struct TrafficResult {
  std::string name;
  std::uint64_t arrived = 0, completed = 0, over_context = 0, truncated = 0, rejected = 0, unfinished = 0;
  std::uint64_t input_tokens = 0, output_tokens = 0;  ///< of all that arrived; of what was generated
  double output_tokens_per_s = 0;
  std::optional<double> slo_attainment;  ///< share of completed requests (after warm-up) within every stated limit
  std::optional<double> slo_target;
  std::optional<double> accuracy;  ///< mean over completed requests, or over their tokens, where every eligible model states one
  std::string accuracy_per;        ///< "request" or "token"
  /// Of requests that arrived after the warm-up and completed. TTFT ends with the first token that reaches the client: where prefill and decode are
  /// apart, the decode replica's, as vLLM's proxies have it; it holds the prompt, the wait for the decode replica's blocks and the transfer.
  Distribution ttft_s, tpot_s, itl_s, e2e_s, queue_s;
  LatencyCurve ttft, tpot, e2e;
  std::optional<Distribution> prefill_s;      ///< from arrival to the end of the prompt on the prefill replica, where it is another one
  std::optional<Distribution> kv_transfer_s;  ///< from there until its KV had come: the wait for blocks and the transfer
  std::optional<Overload> overload;           ///< where the pools can't keep up
  std::vector<std::string> notes;             ///< what the reader dropped or changed
};

struct PoolResult {
  std::string name, model, gpu, node;
  int replicas = 0, tensor_parallel_size = 0, gpus = 0;
  double mean_batch = 0;        ///< sequences a step, over steps
  double busy = 0;              ///< share of time with a step running
  double kv_usage = 0;          ///< time-weighted mean share of KV blocks in use
  std::uint64_t kv_blocks = 0;  ///< of one replica
  std::uint64_t kv_block_tokens = 0;
  std::uint64_t preemptions = 0;
  std::optional<double> prefix_hit_rate;  ///< cached prompt tokens / prompt tokens, where prefix caching is on
  std::string clock;                      ///< "1980 MHz" or "1980 MHz prefill, 1410 MHz decode"
  std::uint64_t output_tokens = 0;
  std::uint64_t steps = 0;
  std::optional<double> tokens_per_verification;  ///< speculative decoding: mean tokens that a sequence got a decode step
  std::string role;                               ///< "prefill" or "decode"; "" for both
  std::optional<double> kv_transferred_bytes;     ///< sent to or received from the other role
  std::optional<double> belief_over_simulated;  ///< joules of the completed requests as a routing policy believed them, over those attributed to them
  std::optional<double> belief_median_error;    ///< median over them of |believed/attributed - 1|
  std::string belief_source;
  std::optional<double> accuracy;  ///< of its model, where it states one
  std::string accuracy_per;        ///< "request" or "token"
  std::uint64_t completed = 0;     ///< requests
  std::string watts_source;        ///< the worst watts provenance that matters, for people
};

/// An 80 % interval as relative half-widths from the profiles' stated errors, first order; absent where a profile states none.
struct Spread {
  metering::PerBoundary<double> relative{};
  std::vector<std::pair<std::string, double>> sources;  ///< (name, share of the facility variance), widest first
};

struct Cost {
  std::string currency;
  std::optional<double> energy, demand, rental, capital;
  double total = 0;
  std::optional<double> per_million_input, per_million_output;  ///< total split by attributed joules of prompt and generated tokens
};

/// One of several sites, or one with a series or a demand charge.
struct SiteResult {
  std::string name;
  std::vector<std::string> clusters;
  metering::PerBoundary<double> joules{};
  std::optional<double> energy_cost, demand_cost, carbon_grams;
  bool price_varies = false, carbon_varies = false;
};

/// What a feed carried, outside the warm-up.
struct FeedResult {
  std::string name, site;
  double rating_watts = 0, usable_watts = 0, window_s = 0;
  metering::FeedLoad load;
};

/// Requests over time: means over equal intervals of the whole run (find_activity).
struct Activity {
  static constexpr std::size_t kIntervals = 480;
  struct Pool {
    std::vector<float> running;         ///< requests with a step begun and not done
    std::vector<float> context_tokens;  ///< their prompts and the tokens so far
    std::vector<float> output_tokens_per_s;
  };
  struct Traffic {
    std::vector<float> arrivals_per_s, waiting;
  };
  double interval_s = 0;          ///< 0 where there are no requests
  std::vector<Pool> pools;        ///< as Result::pools
  std::vector<Traffic> traffics;  ///< as Result::traffics
};

struct Input {
  std::string path, sha256;
};

struct Audit {
  bool exact = true;
  double attributed_share = 0;  ///< attributed request joules / active GPU joules
};

/// Everything a run found out. The same scenario and seed give the same Result for any number of threads and any grouping.
struct Result {
  std::string name;
  std::uint64_t seed = 0;
  double horizon_s = 0, warmup_s = 0;
  bool partial = false;  ///< interrupted: covers only [0, horizon_s)
  metering::EnergyAccount energy;
  std::optional<Spread> spread;
  std::vector<TrafficResult> traffics;
  std::vector<PoolResult> pools;  ///< in the order of energy.pools, jobs and "no pool" left out
  std::vector<TrainingResult> jobs;
  Activity activity;
  int no_pool_gpus = 0;
  std::optional<Cost> cost;
  std::optional<double> carbon_grams;
  std::string start;              ///< the date and time at which the run began, where one is stated
  std::vector<SiteResult> sites;  ///< empty where there is one, with constants
  std::vector<FeedResult> feeds;
  std::map<std::string, double> energy_coverage, time_coverage;  ///< provenance -> share
  Audit audit;
  std::vector<Input> inputs;  ///< every file that was read
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, std::shared_ptr<const serving::RequestTable>>> requests;  ///< a traffic's requests, for requests.csv
  /// As `requests`: joules that a routing policy believed, by number; NaN of a request without, empty where no policy believed joules of requests.
  std::vector<std::vector<double>> believed_joules;
  std::vector<std::size_t> pool_of_replica;  ///< positions in `pools`, by the number of a replica over all pools
  // How it went: these differ between equal runs or settings, and go to run.json alone.
  std::uint64_t events = 0, windows = 0, parallel_windows = 0;
  std::string fingerprint;  ///< where asked for
};

}  // namespace joulecast::scenario
