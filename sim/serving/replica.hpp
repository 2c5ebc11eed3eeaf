#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "control/replica_state.hpp"
#include "engine/entity.hpp"
#include "metering/meter.hpp"
#include "serving/active_requests.hpp"
#include "serving/clock_switch.hpp"
#include "serving/engine_config.hpp"
#include "serving/latency_histogram.hpp"
#include "serving/operating_points.hpp"
#include "serving/requests.hpp"
#include "serving/routing.hpp"
#include "serving/scheduler.hpp"
#include "serving/step_cost.hpp"
#include "serving/stretch.hpp"

namespace joulecast::serving {

/// What it takes to load a replica's model, and what its GPUs draw without one.
struct ModelLoading {
  Span time{0};
  FixedEnergy unloaded, loading;  ///< joules a nanosecond of all its GPUs
};

struct ReplicaSetup {
  std::int32_t index = 0;  ///< over all pools, goes into outcomes
  EngineConfig engine;
  const StepCosts& costs;                    ///< outlives the replica; segments stay where they are
  std::vector<RequestTable*> tables;         ///< one a traffic
  metering::Meter& meter;                    ///< its classes are those of Work, by number
  Time warmup{0};                            ///< tokens before it are no inter-token samples
  bool step_mode = false;                    ///< one event a step: the same bits, slower
  const OperatingPoints* points = nullptr;   ///< whose point 0 `costs` are; null where nobody commands another
  std::optional<ModelLoading> loading = {};  ///< where the model may be unloaded
};

/// What a replica did, up to the last step that ended but for the times, which reach to the end of the run.
struct ReplicaStatistics {
  std::int64_t steps = 0;
  std::int64_t sequence_steps = 0;  ///< scheduled sequences, summed over steps
  FixedTime busy;
  int128 block_time = 0;  ///< KV blocks in use times time, in blocks * 2^-24 ns
  std::int64_t preemptions = 0;
  std::int64_t prefix_queries = 0;  ///< prompt tokens of all admissions
  std::int64_t prefix_hits = 0;     ///< those of them found in the prefix cache
  std::int64_t output_tokens = 0;
  std::int64_t verifications = 0, verified_tokens = 0;      ///< speculative decoding: steps of sequences, and what they gave
  std::int64_t loads = 0;                                   ///< of the model, after the first
  FixedTime unloaded;                                       ///< without a model, loading left out
  std::int64_t kv_blocks_sent = 0, kv_blocks_received = 0;  ///< from producers to consumers
  FixedEnergy prompt_joules;                                ///< attributed to prompt chunks; the rest of what is attributed is for generated tokens
  std::vector<LatencyHistogram> inter_token;                ///< from a token to the request's next, one a traffic
};

/// A message's payload: which request of which traffic.
constexpr std::uint64_t request_payload(std::uint32_t traffic, std::uint32_t number) { return static_cast<std::uint64_t>(traffic) << 32 | number; }

/// An engine replica with continuous batching, as vLLM V1 (0.19) does it: iteration by iteration, or a stretch of decode steps at once.
///
/// With async scheduling step n + 1 is planned when step n - 1 ends: a request that arrives during step n is seen at n's end and first runs in
/// step n + 2. Without it, step n + 1 is planned when n ends. Times are exact (2^-24 ns) inside the replica; an event stands at the nanosecond
/// in which its exact time lies. Nothing is spent between steps: what the host costs is a class of the step. A replica without a plan is context
/// idle.
///
/// A stretch runs decode steps of the same members in one event. It ends with the first step that completes a request; with the step
/// in which a request arrives that could be admitted; before a plan that would find too few KV blocks; with the last step before the
/// cost's segment or the clock changes. Nothing else can change what is planned. Every number is a whole multiple of its unit and is summed exactly,
/// so a stretch and its single steps give the same bits.
class Replica final : public engine::Entity, public engine::Viewed<ReplicaView> {
 public:
  enum Message : std::uint16_t {
    enqueue,     ///< request_payload
    kv_arrived,  ///< the same, as are those of kv_taken
    kv_taken,
    set_point,  ///< a number of the setup's points
    load,       ///< the model, or stop draining
    unload      ///< once everything that the replica has is done
  };

  explicit Replica(ReplicaSetup setup);
  /// Sends a message to the source of a traffic, with the port's least delay, whenever a request of that traffic completes; before the run.
  void tell(std::uint32_t traffic, engine::Port port, engine::EntityId source);

  void on(const engine::Event& event, engine::Context& context) override;
  void finish(engine::Context& context) override;
  std::uint64_t fingerprint(Time now) const override;
  ReplicaView view(Time now) const override;
  /// What a controller reads.
  control::ReplicaState state(Time now) const;

  const ReplicaStatistics& statistics() const { return statistics_; }
  std::int64_t usable_blocks() const { return scheduler_.kv().usable(); }

  /// Sends a producer's done prompts of a traffic to a router of consumers, with no delay; before the run.
  void hand_over_to(std::uint32_t traffic, engine::Port port, engine::EntityId router);
  /// Where a consumer asks for KV, with the port's least delay; before the run.
  void fetch_from(engine::Port port, engine::EntityId network);

 private:
  static constexpr std::uint16_t kBoundaryTimer = 0;
  static constexpr std::uint16_t kLoadedTimer = 1;

  bool idle() const { return executing_.empty(); }
  void arrive(std::uint64_t payload, engine::Context& context);
  void boundary(engine::Context& context);
  void schedule(Plan& plan, engine::Context& context);
  void start_executing();
  void cut_stretch(FixedTime instant, engine::Context& context);

  // replica_control.cpp: what controllers command, and what they read.
  void command_point(std::uint64_t number, engine::Context& context);
  void command_load(engine::Context& context);
  void command_unload(engine::Context& context);
  void loaded(engine::Context& context);
  void start_loading(engine::Context& context);
  void become(control::Readiness readiness);
  FixedEnergy joules_until(Time now) const;

  // replica_outputs.cpp: what the end of the executing step gives.
  void give_outputs(engine::Context& context);
  void announce(const ActiveRequest& request, engine::Context& context);
  void give_token(ActiveRequest& request);
  void settle(ActiveRequest& request);
  void give_verified();

  // replica_transfer.cpp: prompts on one replica, their answers on another.
  void hand_over(std::uint32_t slot, engine::Context& context);
  void fetch(engine::Context& context);
  void take_kv(std::uint64_t payload, engine::Context& context);
  void release_kv(std::uint64_t payload, engine::Context& context);
  void look_at_queue(engine::Context& context);

  // replica_stretch.cpp: how long the executing plan is repeated, and what that costs.
  void price_executing();
  std::int64_t stretch_limit();
  void close_steps(std::int64_t steps);
  void charge_idle(FixedTime to);
  void charge_open_step(FixedTime elapsed);
  void charge_classes(std::int64_t steps);
  void count_inter_token(std::int64_t steps);
  int128 block_time(std::int64_t steps, std::int64_t plans) const;

  std::int64_t steps_before(Time now) const;

  /// Who is told of a traffic's completions.
  struct Listener {
    engine::Port port;
    std::optional<engine::EntityId> source;
  };

  ReplicaSetup setup_;
  std::vector<Listener> listeners_;                               ///< by traffic; empty where nobody is told
  std::vector<Listener> takers_;                                  ///< of a producer's prompts, by traffic
  Listener network_;                                              ///< of a consumer
  std::unordered_map<std::uint64_t, std::uint32_t> in_transfer_;  ///< slots of requests whose KV is held or comes; never iterated
  control::Readiness readiness_ = control::Readiness::ready;
  metering::State idle_state_ = metering::State::context_idle;
  FixedEnergy idle_rate_;  ///< joules a nanosecond
  ActiveRequests requests_;
  Scheduler scheduler_;
  /// What a step is priced by.
  struct Pricing {
    const StepCosts* costs;
    Phase clock;
    friend bool operator==(const Pricing&, const Pricing&) = default;
  };
  ClockSwitch<Pricing> switch_;
  FixedTime clock_;  ///< when the stretch began, or since when the replica is idle
  Plan executing_;
  Plan next_;  ///< async scheduling: planned, not yet begun
  Plan scratch_;
  Stretch stretch_;
  std::int64_t first_done_ = 0;  ///< first last step of a member, when the stretch was made
  Pricing segment_pricing_{nullptr, Phase::decode};
  std::int64_t segment_decodes_ = 0;  ///< sequences that stretch_.segment is for
  Unevenness segment_uneven_;         ///< and how they share their context
  Integrals integrals_;
  std::vector<std::int64_t> decoding_;  ///< decoding sequences of the executing step, by traffic
  std::int64_t requests_arrived_ = 0, prompt_tokens_arrived_ = 0;
  std::vector<std::uint32_t> leaving_;  ///< preempted while the executing step still holds a token of theirs
  ReplicaStatistics statistics_;
};

}  // namespace joulecast::serving
