#include "policy/routing/prefix_affinity.hpp"

#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "traces/requests/prefix_tree.hpp"

namespace joulecast::policy {
namespace {

class PrefixAffinity final : public serving::ReplicaRouter {
 public:
  explicit PrefixAffinity(double load_bound) : load_bound_(load_bound) {}

  std::size_t choose(const serving::RoutedRequest& request, const engine::Views<serving::ReplicaView>& replicas, Time now, Stream&) override {
    read_loads(replicas, now);
    path(request);
    const std::size_t chosen = best(request);
    for (const std::uint32_t node : path_) last_of_prefix_[node] = chosen;
    if (request.conversation != 0) last_of_conversation_[request.conversation] = chosen;
    return chosen;
  }

 private:
  void read_loads(const engine::Views<serving::ReplicaView>& replicas, Time now) {
    loads_.clear();
    std::int64_t total = 1;
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      loads_.push_back(replicas.at(i, now).outstanding());
      total += loads_.back();
    }
    most_ = std::ceil(load_bound_ * static_cast<double>(total) / static_cast<double>(loads_.size()));
  }

  /// The nodes of the prompt's blocks, the longest prefix first.
  void path(const serving::RoutedRequest& request) {
    path_.clear();
    if (request.prefixes == nullptr) return;
    for (std::uint32_t node = request.prefix; node != 0; node = request.prefixes->parent(node)) path_.push_back(node);
  }

  std::optional<std::size_t> seen_by(const serving::RoutedRequest& request) const {
    for (const std::uint32_t node : path_) {
      if (const auto at = last_of_prefix_.find(node); at != last_of_prefix_.end()) return at->second;
    }
    if (const auto at = last_of_conversation_.find(request.conversation); at != last_of_conversation_.end()) return at->second;
    return std::nullopt;
  }

  bool has_room(std::size_t replica) const { return static_cast<double>(loads_[replica]) < most_; }

  std::size_t best(const serving::RoutedRequest& request) const {
    if (const auto seen = seen_by(request); seen && has_room(*seen)) return *seen;
    const bool named = !path_.empty() || request.conversation != 0;
    const std::uint64_t key = path_.empty() ? mix(1, request.conversation) : mix(2, path_.back());
    std::optional<std::size_t> chosen;
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      if (!has_room(i)) continue;
      const std::uint64_t weight = mix(key, i);
      const bool better = named ? weight > highest : chosen && loads_[i] < loads_[*chosen];
      if (chosen && !better) continue;
      chosen = i;
      highest = weight;
    }
    // The least loaded replica is below the mean of total + 1, hence below the bound.
    return *chosen;
  }

  double load_bound_;
  double most_ = 0;
  std::vector<std::int64_t> loads_;
  std::vector<std::uint32_t> path_;
  // Looked up, never iterated.
  std::unordered_map<std::uint32_t, std::size_t> last_of_prefix_, last_of_conversation_;
};

}  // namespace

config::Record<PrefixAffinityParameters> prefix_affinity_record() {
  config::Record<PrefixAffinityParameters> record("prefix_affinity");
  record.optional("load_bound", &PrefixAffinityParameters::load_bound, "1.25", config::Bounds::between(1, 1e6),
                  "a replica's outstanding requests at most, over the mean of all");
  return record;
}

std::unique_ptr<serving::ReplicaRouter> make_prefix_affinity(const PrefixAffinityParameters& parameters) {
  return std::make_unique<PrefixAffinity>(parameters.load_bound);
}

}  // namespace joulecast::policy
