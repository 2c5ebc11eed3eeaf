#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/energy_belief.hpp"
#include "control/service_belief.hpp"
#include "control/signal.hpp"
#include "serving/routing.hpp"

namespace joulecast::serving {

/// A pool as its replicas show it together.
struct PoolView {
  std::int32_t replicas = 0;
  std::int64_t waiting = 0, running = 0;  ///< requests, all replicas
  double kv_usage = 0;                    ///< mean over the replicas
  std::int64_t tokens_queued = 0;         ///< prompt tokens still to be computed, all replicas

  std::int64_t outstanding() const { return waiting + running; }
};

/// A request that an offline policy is told of before the run.
struct ForeseenRequest {
  Time arrival;
  RoutedRequest request;  ///< as `choose` will be asked for it
};

/// Chooses a pool, and so a model, for each request: `[router] pool`. The replica in it is another policy's choice.
class PoolRouter {
 public:
  virtual ~PoolRouter() = default;
  /// Whether it is offline: then `foresee` is called once before the run with every request that will reach the router, by rising number.
  virtual bool is_offline() const { return false; }
  virtual void foresee(std::span<const ForeseenRequest>) {}
  /// A position in `pools`, which has at least two.
  virtual std::size_t choose(const RoutedRequest& request, const engine::Views<PoolView>& pools, Time now, Stream& random) = 0;
};

/// The pools of consecutive replicas, made from the replicas' own views when they are asked for.
class PoolViews final : public engine::Views<PoolView> {
 public:
  /// Pool i has the replicas first[i] .. first[i + 1] - 1; both outlive this.
  PoolViews(const engine::Views<ReplicaView>& replicas, const std::vector<std::size_t>& first) : replicas_(replicas), first_(first) {}
  std::size_t size() const override { return first_.size() - 1; }
  PoolView at(std::size_t position, Time now) const override;

 private:
  const engine::Views<ReplicaView>& replicas_;
  const std::vector<std::size_t>& first_;
};

/// How good a model's answers are, as its user states it.
struct ModelAccuracy {
  enum class Per : std::uint8_t { request, token };
  double value = 0;  ///< share in 0 .. 1
  Per per = Per::request;

  /// What a request adds to the sum of accuracies: the value, or the value times prompt and answer tokens.
  double of(double tokens_in, double tokens_out) const { return per == Per::request ? value : value * (tokens_in + tokens_out); }
};

/// What a policy may know of a pool before the run.
struct PoolFacts {
  std::string pool, model;
  std::int64_t max_num_batched_tokens = 0;
  std::optional<ModelAccuracy> accuracy;
  std::optional<control::EnergyBelief> belief;
  control::SiteSignals site = {};  ///< of where it stands; the signals outlive the policy
  double pue = 1;                  ///< facility over IT energy there
  double network_s = 0;            ///< there and back
  std::optional<control::ServiceBelief> service = {};
};

/// One traffic's choice: the pools that may serve it, by position, and what its requests are like.
struct PoolChoice {
  std::string traffic;
  std::vector<PoolFacts> pools;
  std::vector<std::string> known_models;  ///< of all pools, this traffic's or not
  control::TokenRange lengths;
  double mean_input = 0, mean_output = 0;          ///< tokens
  std::optional<Time> horizon = {};                ///< when the run ends, where that is known before
  bool closed_loop = false;                        ///< requests come when others complete
  std::optional<double> ttft_s = {}, tpot_s = {};  ///< the traffic's limits
};

}  // namespace joulecast::serving
