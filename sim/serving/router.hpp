#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/philox.hpp"
#include "control/length_prediction.hpp"
#include "engine/entity.hpp"
#include "serving/pool_routing.hpp"
#include "serving/requests.hpp"
#include "serving/routing.hpp"

namespace joulecast::serving {

/// How old the views are that a router's policies read.
enum class ViewAge : std::uint8_t {
  instant,  ///< of this very instant: what the router itself sent and is not there yet counts as waiting
  report    ///< of the last load report; nothing is added to it
};

/// Consecutive replicas among which one policy chooses.
struct ReplicaGroup {
  std::size_t replicas = 0;
  std::unique_ptr<ReplicaRouter> policy;
};

struct RouterSetup {
  std::vector<ReplicaGroup> groups;         ///< with a pool policy one a pool, else a single one
  const engine::Views<ReplicaView>& views;  ///< of the groups' replicas, outlives the router
  ViewAge age = ViewAge::instant;
  std::vector<RequestTable*> tables;             ///< one a traffic
  Stream random;                                 ///< of the replicas' policies
  std::unique_ptr<PoolRouter> pool_policy = {};  ///< null where there is one group
  Stream pool_random{0, "", ""};                 ///< of the pools' policy
  std::optional<control::LengthPredictor> predictor = {};
  bool scaled = false;  ///< some replicas may be without a model: policies see those that accept
};

/// Sends each request of a traffic, with no delay but that of the network, to the pool that one policy chooses and to the replica in it that another one chooses.
class Router final : public engine::Entity {
 public:
  enum Message : std::uint16_t { route };

  explicit Router(RouterSetup setup);
  /// The replicas in the order of the views, and how long a request is on the way to each (none given: no time); before the run.
  void connect(engine::Port port, std::vector<engine::EntityId> replicas, std::vector<Span> delays = {});

  void on(const engine::Event& event, engine::Context& context) override;
  std::uint64_t fingerprint(Time now) const override;

 private:
  /// A request that was sent and, until then, not received.
  struct Sent {
    Time arrives;
    std::size_t position = 0;
    std::int64_t tokens = 0;
  };
  struct OnTheWay {
    std::int32_t requests = 0;
    std::int64_t tokens = 0;
  };
  /// The replicas' views with what has been sent and not yet received.
  class ViewsWithSent final : public engine::Views<ReplicaView> {
   public:
    explicit ViewsWithSent(const Router& router) : router_(router) {}
    std::size_t size() const override { return router_.setup_.views.size(); }
    ReplicaView at(std::size_t position, Time now) const override;

   private:
    const Router& router_;
  };

  RoutedRequest shown(const RequestTable& table, std::uint32_t number);
  std::size_t choose(const RoutedRequest& request, Time now);
  std::size_t choose_in(const ReplicaGroup& group, const engine::Views<ReplicaView>& views, const RoutedRequest& request, Time now);
  void note_sent(std::size_t position, const traces::Request& request, Time now);
  Span delay_to(std::size_t position) const { return lanes_[lane_of_[position]].delay; }
  void forget_received(Time now);

  RouterSetup setup_;
  ViewsWithSent views_with_sent_;
  const engine::Views<ReplicaView>& views_;  ///< those that the policies read
  std::vector<std::size_t> first_;           ///< position of each group's first replica, and the end
  PoolViews pools_;
  engine::Port port_;
  std::vector<engine::EntityId> replicas_;
  /// Requests with the same time to go, in the order in which they arrive.
  struct Lane {
    Span delay;
    std::deque<Sent> sent;
  };
  std::vector<Lane> lanes_;
  std::vector<std::size_t> lane_of_;  ///< by position
  std::vector<OnTheWay> on_the_way_;  ///< by position
  std::uint64_t routed_ = 0;
  std::uint64_t choices_ = 0;  ///< hash of all choices
};

}  // namespace joulecast::serving
