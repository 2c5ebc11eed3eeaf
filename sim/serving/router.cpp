#include "serving/router.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "serving/accepting.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {
namespace {

/// Consecutive positions of other views.
class Part final : public engine::Views<ReplicaView> {
 public:
  Part(const engine::Views<ReplicaView>& whole, std::size_t first, std::size_t size) : whole_(whole), first_(first), size_(size) {}
  std::size_t size() const override { return size_; }
  ReplicaView at(std::size_t position, Time now) const override { return whole_.at(first_ + position, now); }

 private:
  const engine::Views<ReplicaView>& whole_;
  std::size_t first_, size_;
};

std::vector<std::size_t> first_positions(const std::vector<ReplicaGroup>& groups) {
  std::vector<std::size_t> first{0};
  for (const ReplicaGroup& group : groups) first.push_back(first.back() + group.replicas);
  return first;
}

}  // namespace

Router::Router(RouterSetup setup)
    : setup_(std::move(setup)),
      views_with_sent_(*this),
      views_(setup_.age == ViewAge::instant ? static_cast<const engine::Views<ReplicaView>&>(views_with_sent_) : setup_.views),
      first_(first_positions(setup_.groups)),
      pools_(views_, first_),
      on_the_way_(setup_.views.size()) {
  JOULECAST_CHECK(first_.back() == setup_.views.size(), "a router needs one view a replica");
  JOULECAST_CHECK((setup_.groups.size() > 1) == (setup_.pool_policy != nullptr), "a router of several groups needs a policy that chooses one");
}

void Router::connect(engine::Port port, std::vector<engine::EntityId> replicas, std::vector<Span> delays) {
  JOULECAST_CHECK(replicas.size() == setup_.views.size(), "a router needs one view a replica");
  JOULECAST_CHECK(delays.empty() || delays.size() == replicas.size(), "a router needs one delay a replica");
  port_ = port;
  replicas_ = std::move(replicas);
  for (std::size_t i = 0; i < replicas_.size(); ++i) {
    const Span delay = delays.empty() ? Span{0} : delays[i];
    std::size_t lane = 0;
    while (lane < lanes_.size() && lanes_[lane].delay != delay) ++lane;
    if (lane == lanes_.size()) lanes_.push_back({delay, {}});
    lane_of_.push_back(lane);
  }
}

void Router::on(const engine::Event& event, engine::Context& context) {
  const RequestTable& table = *setup_.tables[event.payload >> 32];
  const auto number = static_cast<std::uint32_t>(event.payload);
  const traces::Request& request = table[number].facts;
  const bool instant = setup_.age == ViewAge::instant;
  if (instant) forget_received(context.now());
  const std::size_t position = choose(shown(table, number), context.now());
  if (instant) note_sent(position, request, context.now());
  ++routed_;
  choices_ = mix(choices_, position);
  context.send(port_, replicas_[position], Replica::enqueue, event.payload, delay_to(position));
}

RoutedRequest Router::shown(const RequestTable& table, std::uint32_t number) {
  const traces::Request& request = table[number].facts;
  RoutedRequest shown;
  shown.number = number;
  shown.input = request.input;
  if (setup_.predictor) shown.predicted_output = setup_.predictor->predict(number, request.output);
  shown.prefix = request.prefix;
  shown.conversation = request.conversation;
  shown.prefixes = table.prefixes();
  return shown;
}

std::size_t Router::choose(const RoutedRequest& request, Time now) {
  if (setup_.pool_policy == nullptr) {
    return choose_in(setup_.groups.front(), views_, request, now);
  }
  const std::size_t pool = setup_.pool_policy->choose(request, pools_, now, setup_.pool_random);
  JOULECAST_CHECK(pool < setup_.groups.size(), "a routing policy chose a pool that there is not");
  const ReplicaGroup& group = setup_.groups[pool];
  return first_[pool] + choose_in(group, Part(views_, first_[pool], group.replicas), request, now);
}

std::size_t Router::choose_in(const ReplicaGroup& group, const engine::Views<ReplicaView>& views, const RoutedRequest& request, Time now) {
  if (!setup_.scaled) {
    const std::size_t position = group.policy->choose(request, views, now, setup_.random);
    JOULECAST_CHECK(position < views.size(), "a routing policy chose a replica that there is not");
    return position;
  }
  const Accepting accepting(views, now);
  const std::size_t position = group.policy->choose(request, accepting, now, setup_.random);
  JOULECAST_CHECK(position < accepting.size(), "a routing policy chose a replica that there is not");
  return accepting.whole(position);
}

std::uint64_t Router::fingerprint(Time) const { return mix(choices_, routed_); }

/// What arrives at this very instant has not been received yet: routers come before replicas.
void Router::forget_received(Time now) {
  for (Lane& lane : lanes_) {
    for (; !lane.sent.empty() && lane.sent.front().arrives < now; lane.sent.pop_front()) {
      OnTheWay& there = on_the_way_[lane.sent.front().position];
      --there.requests;
      there.tokens -= lane.sent.front().tokens;
    }
  }
}

void Router::note_sent(std::size_t position, const traces::Request& request, Time now) {
  Lane& lane = lanes_[lane_of_[position]];
  lane.sent.push_back({now + lane.delay, position, request.input});
  ++on_the_way_[position].requests;
  on_the_way_[position].tokens += request.input;
}

ReplicaView Router::ViewsWithSent::at(std::size_t position, Time now) const {
  ReplicaView view = router_.setup_.views.at(position, now);
  const OnTheWay& sent = router_.on_the_way_[position];
  view.waiting += sent.requests;
  view.tokens_queued += sent.tokens;
  return view;
}

}  // namespace joulecast::serving
