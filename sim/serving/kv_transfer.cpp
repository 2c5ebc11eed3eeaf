#include "serving/kv_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {
namespace {

enum Link : std::size_t { out_of_node, into_node };
enum ReplicaLink : std::size_t { network_out, network_in, node_out, node_in, kReplicaLinks };

constexpr std::size_t kNodeLinks = 2;
constexpr std::uint16_t kEndTimer = 0;

const Outcome& outcome_of(const KvNetworkSetup& setup, std::uint64_t payload) {
  return (*setup.tables[payload >> 32])[static_cast<std::uint32_t>(payload)].outcome;
}

Span span_up(double seconds) { return Span{static_cast<std::int64_t>(std::ceil(seconds * 1e9))}; }

}  // namespace

KvNetwork::KvNetwork(KvNetworkSetup setup) : setup_(std::move(setup)) {
  for (const KvNode& node : setup_.nodes) capacity_.insert(capacity_.end(), kNodeLinks, node.network_rate);
  for (const KvEndpoint& end : setup_.endpoints) {
    capacity_.insert(capacity_.end(), {end.network_rate, end.network_rate, end.in_node_rate, end.in_node_rate});
  }
}

void KvNetwork::connect(engine::Port consumers, engine::Port producers, std::vector<engine::EntityId> replicas) {
  consumers_ = consumers;
  producers_ = producers;
  replicas_ = std::move(replicas);
}

KvNetwork::Way KvNetwork::way(std::size_t from, std::size_t to, double bytes) const {
  const KvEndpoint& sender = setup_.endpoints[from];
  const KvEndpoint& receiver = setup_.endpoints[to];
  const auto node_link = [](std::size_t node, Link link) { return kNodeLinks * node + link; };
  const auto replica_link = [&](std::size_t replica, ReplicaLink link) { return kNodeLinks * setup_.nodes.size() + kReplicaLinks * replica + link; };
  if (sender.node == receiver.node) {
    const double of_a_gpu = bytes / std::min(sender.gpus, receiver.gpus);
    const double latency = std::max(sender.in_node_latency, receiver.in_node_latency) + receiver.in_node_root * std::sqrt(of_a_gpu);
    return {{replica_link(from, node_out), replica_link(to, node_in)}, latency};
  }
  const KvNode& a = setup_.nodes[sender.node];
  const KvNode& b = setup_.nodes[receiver.node];
  Way way{{replica_link(from, network_out), node_link(sender.node, out_of_node), node_link(receiver.node, into_node), replica_link(to, network_in)}};
  const int hops = a.cluster != b.cluster ? 3 : a.leaf == b.leaf ? 1 : a.hops_between_leaves;
  way.latency = std::max(a.message_latency, b.message_latency) + (hops - 1) * std::max(a.hop_latency, b.hop_latency);
  return way;
}

double KvNetwork::seconds_alone(std::size_t from, std::size_t to, std::int64_t blocks) const {
  const double bytes = static_cast<double>(blocks * setup_.endpoints[to].block_bytes);
  const Way way = this->way(from, to, bytes);
  double rate = capacity_[way.links.front()];
  for (const std::size_t link : way.links) rate = std::min(rate, capacity_[link]);
  return way.latency + bytes / rate;
}

void KvNetwork::on(const engine::Event& event, engine::Context& context) {
  advance(context.now());
  if (event.timer != 0) {
    end_due(context);
  } else {
    begin(event.payload, context.now());
  }
  share_anew(context);
}

void KvNetwork::begin(std::uint64_t payload, Time now) {
  const Outcome& outcome = outcome_of(setup_, payload);
  const auto from = static_cast<std::size_t>(outcome.prefill_replica), to = static_cast<std::size_t>(outcome.replica);
  const double bytes = static_cast<double>(outcome.kv_blocks * setup_.endpoints[to].block_bytes);
  under_way_.push_back({payload, from, to, way(from, to, bytes), bytes, 0, now});
}

void KvNetwork::end_due(engine::Context& context) {
  std::erase_if(under_way_, [&](const Transfer& transfer) {
    if (transfer.done > context.now()) return false;
    const Span latency = span_up(transfer.way.latency);
    context.send(consumers_, replicas_[transfer.to], Replica::kv_arrived, transfer.payload, latency);
    context.send(producers_, replicas_[transfer.from], Replica::kv_taken, transfer.payload, std::max(latency, Span{1}));
    ++ended_;
    hash_ = mix(mix(hash_, transfer.payload), static_cast<std::uint64_t>(context.now().ns));
    return true;
  });
}

void KvNetwork::advance(Time now) {
  const double seconds = (now - moved_to_).seconds();
  for (Transfer& transfer : under_way_) transfer.left = std::max(0.0, transfer.left - transfer.rate * seconds);
  moved_to_ = now;
}

void KvNetwork::share_anew(engine::Context& context) {
  if (under_way_.empty()) {
    context.cancel_timer(kEndTimer);
    return;
  }
  std::vector<std::span<const std::size_t>> ways;
  for (const Transfer& transfer : under_way_) ways.emplace_back(transfer.way.links);
  const std::vector<double> rates = fair_share(capacity_, ways);
  Time first = kForever;
  for (std::size_t i = 0; i < under_way_.size(); ++i) {
    Transfer& transfer = under_way_[i];
    transfer.rate = rates[i];
    transfer.done = context.now() + span_up(transfer.left / transfer.rate);
    first = std::min(first, transfer.done);
  }
  context.set_timer(kEndTimer, first);
}

std::uint64_t KvNetwork::fingerprint(Time) const { return mix(mix(hash_, ended_), under_way_.size()); }

}  // namespace joulecast::serving
