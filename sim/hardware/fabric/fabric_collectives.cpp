#include "hardware/fabric/fabric_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace joulecast::hardware {

namespace {

bool reduces_twice(Collective collective) { return collective == Collective::all_reduce; }

/// The rate at which a GPU's collectives move bytes within a node: bus bandwidth 2(n-1)/n * beta of the largest all-reduce, or none for one GPU.
BytesPerSecond gpu_link(const GpuProfile& gpu, std::int64_t gpus_per_node) {
  if (gpus_per_node < 2 || gpu.all_reduce.empty()) return BytesPerSecond(std::numeric_limits<double>::infinity());
  const double n = static_cast<double>(gpus_per_node);
  return BytesPerSecond(2 * (n - 1) / n / in_node_form(gpu, Collective::all_reduce, gpus_per_node).inverse_beta);
}

double log2_ceil(std::int64_t nodes) { return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(nodes - 1))); }

}  // namespace

FabricCollectives::FabricCollectives(const GpuProfile& gpu, std::int64_t gpus_per_node, const FabricProfile* fabric, std::int64_t nodes,
                                     CollectiveOptions options)
    : gpu_(gpu), options_(options) {
  if (fabric == nullptr) return;
  fabric_ = *fabric;
  graph_.emplace(*fabric, nodes, gpus_per_node, gpu_link(gpu, gpus_per_node), options.nic_efficiency.value_or(fabric->nic_efficiency.value));
}

FabricCollectives::Network FabricCollectives::network(const RankGroup& group, Pattern pattern) const {
  if (!graph_) {
    throw UserError(Place{gpu_.file, 0, 0},
                    fmt::format("{} ranks of {} lie on {} nodes, which no fabric joins", group.ranks, gpu_.name, nodes_of(group)),
                    "name the cluster's fabric, or keep the ranks in one node");
  }
  const std::lock_guard lock(mutex_);
  const auto key = std::tuple{pattern, group.ranks, group.ranks_per_node, group.groups_per_node, group.node_stride};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const auto slowest = slowest_link(*graph_, group, pattern);
  const double step = fabric_->message_latency.value.si() + (slowest.hops - 1) * fabric_->hop_latency.value.si();
  return known_[key] = {step, slowest.seconds};
}

double FabricCollectives::inside(Collective collective, double bytes, std::int64_t ranks) const {
  return ranks > 1 ? in_node_form(gpu_, collective, ranks).seconds(bytes) : 0;
}

double FabricCollectives::ring(Collective collective, double bytes, const RankGroup& group) const {
  const double n = static_cast<double>(group.ranks);
  const double m = static_cast<double>(nodes_of(group));
  const double r = static_cast<double>(group.ranks_per_node);
  const double passes = reduces_twice(collective) ? 2 : 1;
  const Network net = network(group, Pattern::ring);
  double step_inside = 0;
  double own = 0;
  if (group.ranks_per_node > 1) {
    const InNodeForm form = in_node_form(gpu_, collective, group.ranks_per_node);
    step_inside = form.alpha / (passes * (r - 1));
    own = form.transfer(bytes) * ((n - 1) / n) / ((r - 1) / r);
  }
  const double moved = passes * (n - 1) / n;
  return moved * (m * net.step + (n - m) * step_inside) + std::max(moved * bytes * net.inverse_rate, own);
}

double FabricCollectives::hierarchical(Collective collective, double bytes, const RankGroup& group) const {
  const double m = static_cast<double>(nodes_of(group));
  const double passes = reduces_twice(collective) ? 2 : 1;
  const Network net = network(group, Pattern::ring);
  const double between = passes * (m - 1) * net.step + passes * (m - 1) / m * bytes * net.inverse_rate;
  const double before = collective == Collective::all_gather ? 0 : inside(Collective::reduce_scatter, bytes, group.ranks_per_node);
  const double after = collective == Collective::reduce_scatter ? 0 : inside(Collective::all_gather, bytes, group.ranks_per_node);
  return before + between + after;
}

std::optional<double> FabricCollectives::tree(Collective collective, double bytes, const RankGroup& group) const {
  if (collective != Collective::all_reduce) return std::nullopt;
  const Network net = network(group, Pattern::tree);
  return inside(Collective::reduce_scatter, bytes, group.ranks_per_node) + 2 * log2_ceil(nodes_of(group)) * net.step + bytes * net.inverse_rate +
         inside(Collective::all_gather, bytes, group.ranks_per_node);
}

double FabricCollectives::all_to_all(double bytes, const RankGroup& group) const {
  const double n = static_cast<double>(group.ranks);
  const double r = static_cast<double>(group.ranks_per_node);
  const Network net = network(group, Pattern::all_to_all);
  // A node's ranks send r*S bytes, of which the share (n-r)/n leaves the node.
  const double between = r * bytes * (n - r) / n * net.inverse_rate;
  const double own = inside(Collective::all_to_all, bytes, group.ranks_per_node);
  const bool rail = fabric_->topology == Topology::rail;
  return net.step + (rail ? between + own : std::max(between, own));
}

std::optional<double> FabricCollectives::seconds_by(Algorithm algorithm, Collective collective, double bytes, const RankGroup& group) const {
  JOULECAST_CHECK(group.ranks >= 1 && group.ranks_per_node >= 1 && group.groups_per_node >= 1 && group.node_stride >= 1 && bytes >= 0,
                  "a collective of no ranks or of less than no bytes");
  if (group.ranks == 1 || bytes == 0) return 0;
  if (nodes_of(group) == 1) return inside(collective, bytes, group.ranks);
  if (algorithm == Algorithm::best) {
    std::optional<double> best;
    for (const Algorithm one : {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical}) {
      const auto time = seconds_by(one, collective, bytes, group);
      if (time && (!best || *time < *best)) best = time;
    }
    return best;
  }
  if (algorithm == Algorithm::tree) return tree(collective, bytes, group);
  const bool flat = algorithm == Algorithm::ring;
  switch (collective) {
    case Collective::all_to_all:
      return flat ? std::optional(all_to_all(bytes, group)) : std::nullopt;
    case Collective::broadcast: {
      if (!flat) return std::nullopt;
      const Network net = network(group, Pattern::chain);
      return static_cast<double>(nodes_of(group) - 1) * net.step +
             std::max(bytes * net.inverse_rate, inside(Collective::broadcast, bytes, group.ranks_per_node));
    }
    case Collective::send: {
      if (!flat) return std::nullopt;
      const Network net = network(group, Pattern::pair);
      return net.step + bytes * net.inverse_rate;
    }
    default:
      return flat ? ring(collective, bytes, group) : hierarchical(collective, bytes, group);
  }
}

double FabricCollectives::seconds(Collective collective, double bytes, const RankGroup& group) const {
  auto time = seconds_by(options_.algorithm, collective, bytes, group);
  if (!time) time = seconds_by(Algorithm::best, collective, bytes, group);
  return *time;
}

void require_collective(const Place& place, const std::string& what, std::int64_t ranks, double bytes) {
  if (ranks < 2) {
    throw UserError(place, fmt::format("{} is over {} rank{}", what, ranks, ranks == 1 ? "" : "s"),
                    "a collective takes at least two: leave it out, or raise the parallel size");
  }
  if (!(bytes > 0))
    throw UserError(place, fmt::format("{} has {} bytes", what, bytes), "a collective moves something: leave it out, or give its bytes");
}

double scattered_send_seconds(const CollectiveTimes& times, double bytes, std::int64_t tensor_parallel, bool across_nodes) {
  const double t = static_cast<double>(tensor_parallel);
  const RankGroup pair = across_nodes ? RankGroup{2, 1, tensor_parallel} : RankGroup{2, 2, 1};
  const double send = times.seconds(Collective::send, bytes / t, pair);
  const double gather = tensor_parallel > 1 ? times.seconds(Collective::all_gather, bytes, {tensor_parallel, tensor_parallel, 1}) : 0;
  return send + gather;
}

}  // namespace joulecast::hardware
