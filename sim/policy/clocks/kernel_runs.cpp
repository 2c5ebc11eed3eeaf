#include "policy/clocks/kernel_runs.hpp"

#include <algorithm>
#include <limits>

namespace joulecast::policy {
namespace {

constexpr double kRunRounding = 1e-12;
/// Lengths of runs that are tried.
constexpr std::size_t kRuns[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 25};

}  // namespace

KernelRuns::KernelRuns(const KernelSet& set, const SwitchCost& cost)
    : set_(set), cost_(cost), settings_(set.settings.size()), loops_(loops(set)), now_(set.kernels.size()) {
  option_.assign(set.kernels.size(), std::vector<std::int32_t>(settings_, -1));
  seconds_.assign(settings_, {0});
  joules_.assign(settings_, {0});
  lacking_.assign(settings_, {0});
  for (std::size_t k = 0; k < set.kernels.size(); ++k) {
    const Kernel& kernel = set.kernels[k];
    for (std::size_t i = 0; i < kernel.options.size(); ++i) {
      std::int32_t& known = option_[k][static_cast<std::size_t>(kernel.options[i].setting)];
      if (known < 0 || kernel.options[i].joules < kernel.options[static_cast<std::size_t>(known)].joules) known = static_cast<std::int32_t>(i);
    }
    for (std::size_t s = 0; s < settings_; ++s) {
      const bool there = option_[k][s] >= 0;
      const KernelOption none, &option = there ? kernel.options[static_cast<std::size_t>(option_[k][s])] : none;
      seconds_[s].push_back(seconds_[s].back() + kernel.repeat * option.seconds);
      joules_[s].push_back(joules_[s].back() + kernel.repeat * option.joules);
      lacking_[s].push_back(lacking_[s].back() + (there ? 0 : 1));
    }
  }
}

void KernelRuns::load(const KernelPlan& plan) {
  for (std::size_t k = 0; k < plan.size(); ++k) {
    now_[k] = static_cast<std::size_t>(set_.kernels[k].options[static_cast<std::size_t>(plan[k])].setting);
  }
  sum();
}

KernelPlan KernelRuns::unload() const {
  KernelPlan plan;
  for (std::size_t k = 0; k < now_.size(); ++k) plan.push_back(option_[k][now_[k]]);
  return plan;
}

void KernelRuns::sum() {
  now_seconds_.assign(1, 0);
  now_joules_.assign(1, 0);
  for (std::size_t k = 0; k < now_.size(); ++k) {
    now_seconds_.push_back(now_seconds_.back() + seconds_[now_[k]][k + 1] - seconds_[now_[k]][k]);
    now_joules_.push_back(now_joules_.back() + joules_[now_[k]][k + 1] - joules_[now_[k]][k]);
  }
  const auto count = static_cast<double>(changes(0, 0, 0));
  total_seconds_ = now_seconds_.back() + count * cost_.latency.si();
  total_joules_ = now_joules_.back() + count * (cost_.latency * cost_.waiting).si();
}

/// Clock changes an iteration with `count` kernels from `first` on at `setting`.
long KernelRuns::changes(std::size_t first, std::size_t count, std::size_t setting) const {
  const auto at = [&](std::size_t k) { return k - first < count ? setting : now_[k]; };
  long sum = 0;
  for (const KernelLoop& loop : loops_) {
    const std::size_t last = loop.first + loop.count - 1;
    for (std::size_t k = loop.first; k < last; ++k) sum += at(k) != at(k + 1) ? loop.repeat : 0;
    sum += at(last) != at(loop.first) ? loop.repeat - 1 : 0;
    sum += at(last) != at((last + 1) % now_.size()) ? 1 : 0;
  }
  return sum;
}

/// Makes the best of all moves by `better(move, best so far or null)`; false where none is better than nothing.
template <class Better>
bool KernelRuns::step(Better better) {
  Move best;
  bool found = false;
  const double waiting = (cost_.latency * cost_.waiting).si();
  for (const std::size_t count : kRuns) {
    for (std::size_t first = 0; first + count <= now_.size(); ++first) {
      const std::size_t end = first + count;
      for (std::size_t s = 0; s < settings_; ++s) {
        if (lacking_[s][end] != lacking_[s][first]) continue;
        const auto switches = static_cast<double>(changes(first, count, s));
        const auto moved = [&](const std::vector<double>& now, const std::vector<double>& all) {
          return now.back() - (now[end] - now[first]) + (all[end] - all[first]);
        };
        const Move move{first, count, s, moved(now_seconds_, seconds_[s]) + switches * cost_.latency.si(),
                        moved(now_joules_, joules_[s]) + switches * waiting};
        if (!better(move, found ? &best : nullptr)) continue;
        best = move;
        found = true;
      }
    }
  }
  if (!found) return false;
  std::fill_n(now_.begin() + static_cast<std::ptrdiff_t>(best.first), best.count, best.setting);
  sum();
  return true;
}

KernelPlan KernelRuns::improved(const KernelPlan& plan, double seconds) {
  load(plan);
  const double limit = seconds * (1 + kRunRounding);
  while (step([&](const Move& move, const Move* best) {
    return move.seconds <= limit && move.joules < (best != nullptr ? best->joules : total_joules_ * (1 - kRunRounding));
  })) {
  }
  return unload();
}

KernelPlan KernelRuns::kept(const KernelPlan& plan, double seconds) {
  load(plan);
  const double limit = seconds * (1 + kRunRounding);
  while (total_seconds_ > limit) {
    const auto price = [&](const Move& move) {
      return (move.joules - total_joules_) / std::min(total_seconds_ - move.seconds, total_seconds_ - seconds);
    };
    const double least_won = kRunRounding * total_seconds_;
    const bool moved = step([&](const Move& move, const Move* best) {
      return total_seconds_ - move.seconds > least_won && (best == nullptr || price(move) < price(*best));
    });
    if (!moved) return plan;
  }
  return unload();
}

}  // namespace joulecast::policy
