#include "policy/routing/share_assignment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

/// The assignment while it is moved towards its bounds. Nodes of the residual graph are the models and, last, the reservoir that takes what a count
/// leaves within its bounds.
class Assignment {
 public:
  Assignment(std::span<const AssignmentCost> costs, std::span<const CountBounds> bounds)
      : costs_(costs), bounds_(bounds), models_(bounds.size()), at_(costs.size() / bounds.size()), count_(models_, 0), heaps_(models_ * models_) {
    for (std::size_t q = 0; q < at_.size(); ++q) {
      const auto* first = &costs_[q * models_];
      at_[q] = static_cast<std::uint32_t>(std::min_element(first, first + models_) - first);
      ++count_[at_[q]];
    }
  }

  std::vector<std::uint32_t> solve() {
    while (any_excess()) {
      find_paths();
      move_along(cheapest_deficit());
    }
    return std::move(at_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Requests on one model, by what moving to another costs; built when first asked for, entries that have left are skipped.
  struct Heap {
    std::vector<std::uint32_t> requests;
    bool built = false;
  };

  AssignmentCost step(std::uint32_t request, std::size_t from, std::size_t to) const {
    return costs_[request * models_ + to] - costs_[request * models_ + from];
  }

  /// Whether `a` moves later than `b`: the order of a heap whose front is the cheapest, then the first.
  auto later(std::size_t from, std::size_t to) const {
    return [this, from, to](std::uint32_t a, std::uint32_t b) {
      const auto order = step(a, from, to) <=> step(b, from, to);
      return order != 0 ? order > 0 : a > b;
    };
  }

  /// The request on `from` that is cheapest to move to `to`.
  std::optional<std::uint32_t> mover(std::size_t from, std::size_t to) {
    Heap& heap = heaps_[from * models_ + to];
    const auto order = later(from, to);
    if (!heap.built) {
      for (std::size_t q = 0; q < at_.size(); ++q) {
        if (at_[q] == from) heap.requests.push_back(static_cast<std::uint32_t>(q));
      }
      std::make_heap(heap.requests.begin(), heap.requests.end(), order);
      heap.built = true;
    }
    while (!heap.requests.empty() && at_[heap.requests.front()] != from) {
      std::pop_heap(heap.requests.begin(), heap.requests.end(), order);
      heap.requests.pop_back();
    }
    if (heap.requests.empty()) return std::nullopt;
    return heap.requests.front();
  }

  void move(std::uint32_t request, std::size_t from, std::size_t to) {
    at_[request] = static_cast<std::uint32_t>(to);
    --count_[from];
    ++count_[to];
    for (std::size_t next = 0; next < models_; ++next) {
      Heap& heap = heaps_[to * models_ + next];
      if (next == to || !heap.built) continue;
      heap.requests.push_back(request);
      std::push_heap(heap.requests.begin(), heap.requests.end(), later(to, next));
    }
  }

  std::int64_t within(std::size_t m) const { return std::clamp(count_[m], bounds_[m].least, bounds_[m].most); }
  std::int64_t excess(std::size_t node) const {
    if (node < models_) return count_[node] - within(node);
    std::int64_t held = 0;
    for (std::size_t m = 0; m < models_; ++m) held += within(m);
    return held - static_cast<std::int64_t>(at_.size());
  }
  bool any_excess() const {
    for (std::size_t node = 0; node <= models_; ++node) {
      if (excess(node) > 0) return true;
    }
    return false;
  }

  /// Shortest distances from the nodes with an excess (Bellman and Ford; no cycle is negative because the assignment is the cheapest with its counts).
  void find_paths() {
    const std::size_t reservoir = models_;
    distance_.assign(models_ + 1, std::nullopt);
    before_.assign(models_ + 1, kNone);
    for (std::size_t node = 0; node <= models_; ++node) {
      if (excess(node) > 0) distance_[node] = AssignmentCost{};
    }
    bool shorter = true;
    const auto relax = [&](std::size_t from, std::size_t to, const AssignmentCost& cost) {
      const AssignmentCost reached = *distance_[from] + cost;
      if (distance_[to] && *distance_[to] <= reached) return;
      distance_[to] = reached;
      before_[to] = from;
      shorter = true;
    };
    while (shorter) {
      shorter = false;
      for (std::size_t from = 0; from <= models_; ++from) {
        if (!distance_[from]) continue;
        for (std::size_t to = 0; to <= models_; ++to) {
          if (to == from) continue;
          if (from == reservoir) {
            if (count_[to] > bounds_[to].least) relax(from, to, {});
          } else if (to == reservoir) {
            if (count_[from] < bounds_[from].most) relax(from, to, {});
          } else if (const auto request = mover(from, to)) {
            relax(from, to, step(*request, from, to));
          }
        }
      }
    }
  }

  std::size_t cheapest_deficit() const {
    std::size_t best = kNone;
    for (std::size_t node = 0; node <= models_; ++node) {
      if (excess(node) >= 0 || !distance_[node]) continue;
      if (best == kNone || *distance_[node] < *distance_[best]) best = node;
    }
    JOULECAST_CHECK(best != kNone, "shares that cannot be met reached the assignment");
    return best;
  }

  void move_along(std::size_t end) {
    struct Move {
      std::uint32_t request;
      std::size_t from, to;
    };
    std::vector<Move> moves;
    for (std::size_t to = end; before_[to] != kNone; to = before_[to]) {
      const std::size_t from = before_[to];
      if (from < models_ && to < models_) moves.push_back({*mover(from, to), from, to});
    }
    for (const Move& m : moves) move(m.request, m.from, m.to);
  }

  std::span<const AssignmentCost> costs_;
  std::span<const CountBounds> bounds_;
  std::size_t models_;
  std::vector<std::uint32_t> at_;
  std::vector<std::int64_t> count_;
  std::vector<Heap> heaps_;
  std::vector<std::optional<AssignmentCost>> distance_;
  std::vector<std::size_t> before_;
};

double to_whole(double largest) { return largest > 0 ? std::ldexp(1.0, 52 - std::ilogb(largest)) : 1; }

}  // namespace

std::vector<AssignmentCost> whole_costs(std::span<const WeighedRequest> costs, std::size_t models) {
  double largest = 0, most_joules = 0;
  for (const WeighedRequest& each : costs) {
    largest = std::max(largest, std::abs(each.weighed));
    most_joules = std::max(most_joules, std::abs(each.joules));
  }
  const double scale = to_whole(largest), joule_scale = to_whole(most_joules);
  std::vector<AssignmentCost> whole;
  whole.reserve(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    whole.push_back({std::llround(costs[i].weighed * scale), std::llround(costs[i].joules * joule_scale), static_cast<std::int64_t>(i % models)});
  }
  return whole;
}

std::vector<std::uint32_t> assign(std::span<const AssignmentCost> costs, std::span<const CountBounds> bounds) {
  JOULECAST_CHECK(!bounds.empty() && costs.size() % bounds.size() == 0, "an assignment needs a cost for each request and model");
  return Assignment(costs, bounds).solve();
}

}  // namespace joulecast::policy
