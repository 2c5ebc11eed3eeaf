#include "serving/router.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {

Router::Router(RouterSetup setup) : setup_(std::move(setup)), views_with_sent_(*this), on_the_way_(setup_.views.size()) {}

void Router::connect(engine::Port port, std::vector<engine::EntityId> replicas) {
  JOULECAST_CHECK(replicas.size() == setup_.views.size(), "a router needs one view a replica");
  port_ = port;
  replicas_ = std::move(replicas);
}

void Router::on(const engine::Event& event, engine::Context& context) {
  const RequestTable& table = *setup_.tables[event.payload >> 32];
  const traces::Request& request = table[static_cast<std::uint32_t>(event.payload)].facts;
  const bool instant = setup_.age == ViewAge::instant;
  if (instant) forget_received(context.now());
  const engine::Views<ReplicaView>& views = instant ? static_cast<const engine::Views<ReplicaView>&>(views_with_sent_) : setup_.views;
  const std::size_t position = setup_.policy->choose(request, views, context.now(), setup_.random);
  JOULECAST_CHECK(position < replicas_.size(), "a routing policy chose a replica that there is not");
  if (instant) note_sent(position, request, context.now());
  ++routed_;
  choices_ = mix(choices_, position);
  context.send(port_, replicas_[position], Replica::enqueue, event.payload);
}

std::uint64_t Router::fingerprint(Time) const { return mix(choices_, routed_); }

void Router::forget_received(Time now) {
  if (sent_at_ == now) return;
  for (const std::size_t position : sent_to_) on_the_way_[position] = {};
  sent_to_.clear();
}

void Router::note_sent(std::size_t position, const traces::Request& request, Time now) {
  sent_at_ = now;
  if (on_the_way_[position].requests == 0) sent_to_.push_back(position);
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
