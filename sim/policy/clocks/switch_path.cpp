#include "policy/clocks/switch_path.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::size_t least(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
}

}  // namespace

SwitchPath::SwitchPath(const KernelSet& set, const SwitchCost& cost) : set_(set), cost_(cost), settings_(set.settings.size()) {
  for (const KernelLoop& loop : loops(set)) blocks_.push_back({loop, std::vector<double>(settings_ * settings_)});
}

void SwitchPath::weigh(double price) {
  change_ = (cost_.latency * cost_.waiting).si() + price * cost_.latency.si();
  call_.assign(set_.kernels.size(), std::vector<double>(settings_, kNever));
  option_.assign(set_.kernels.size(), std::vector<std::int32_t>(settings_, 0));
  for (std::size_t k = 0; k < set_.kernels.size(); ++k) {
    const auto& options = set_.kernels[k].options;
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto setting = static_cast<std::size_t>(options[i].setting);
      const double value = options[i].joules + price * options[i].seconds;
      if (value >= call_[k][setting]) continue;
      call_[k][setting] = value;
      option_[k][setting] = static_cast<std::int32_t>(i);
    }
  }
}

std::vector<double> SwitchPath::body(const Block& block, std::size_t first, std::vector<std::vector<std::size_t>>* parents) const {
  std::vector<double> reached(settings_, kNever);
  reached[first] = block.loop.repeat * call_[block.loop.first][first];
  for (std::size_t k = 1; k < block.loop.count; ++k) {
    const std::size_t cheapest = least(reached);
    const double changed = reached[cheapest] + block.loop.repeat * change_;
    if (parents != nullptr) parents->emplace_back(settings_);
    for (std::size_t s = 0; s < settings_; ++s) {
      const bool stays = reached[s] <= changed;
      if (parents != nullptr) parents->back()[s] = stays ? s : cheapest;
      reached[s] = (stays ? reached[s] : changed) + block.loop.repeat * call_[block.loop.first + k][s];
    }
  }
  return reached;
}

void SwitchPath::fill(Block& block) const {
  for (std::size_t first = 0; first < settings_; ++first) {
    const std::vector<double> reached = body(block, first, nullptr);
    for (std::size_t last = 0; last < settings_; ++last) {
      block.value[first * settings_ + last] = reached[last] + (first == last ? 0 : (block.loop.repeat - 1) * change_);
    }
  }
}

std::vector<double> SwitchPath::closed(std::size_t first, std::vector<Way>* ways) const {
  const auto row = blocks_.front().value.begin() + static_cast<std::ptrdiff_t>(first * settings_);
  std::vector<double> reached(row, row + static_cast<std::ptrdiff_t>(settings_));
  for (std::size_t b = 1; b < blocks_.size(); ++b) {
    const std::size_t cheapest = least(reached);
    Way way{std::vector<std::size_t>(settings_), std::vector<std::size_t>(settings_)};
    std::vector<double> next(settings_, kNever);
    for (std::size_t s = 0; s < settings_; ++s) {
      const bool stays = reached[s] <= reached[cheapest] + change_;
      const double entered = stays ? reached[s] : reached[cheapest] + change_;
      way.from[s] = stays ? s : cheapest;
      for (std::size_t last = 0; last < settings_; ++last) {
        const double value = entered + blocks_[b].value[s * settings_ + last];
        if (value >= next[last]) continue;
        next[last] = value;
        way.entry[last] = s;
      }
    }
    reached = std::move(next);
    if (ways != nullptr) ways->push_back(std::move(way));
  }
  for (std::size_t last = 0; last < settings_; ++last) {
    if (last != first) reached[last] += change_;
  }
  return reached;
}

KernelPlan SwitchPath::trace(std::size_t first) const {
  std::vector<Way> ways;
  std::size_t last = least(closed(first, &ways));
  KernelPlan plan(set_.kernels.size(), 0);
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    const Block& block = blocks_[b];
    const std::size_t entry = b == 0 ? first : ways[b - 1].entry[last];
    std::vector<std::vector<std::size_t>> parents;
    body(block, entry, &parents);
    std::size_t setting = last;
    for (std::size_t k = block.loop.count; k-- > 0;) {
      plan[block.loop.first + k] = option_[block.loop.first + k][setting];
      if (k > 0) setting = parents[k - 1][setting];
    }
    if (b > 0) last = ways[b - 1].from[entry];
  }
  return plan;
}

SwitchPath::Best SwitchPath::solve(double price) {
  weigh(price);
  for (Block& block : blocks_) fill(block);
  Best best{{}, kNever};
  std::size_t start = 0;
  for (std::size_t first = 0; first < settings_; ++first) {
    const std::vector<double> values = closed(first, nullptr);
    const double value = *std::min_element(values.begin(), values.end());
    if (value >= best.value) continue;
    best.value = value;
    start = first;
  }
  JOULECAST_CHECK(best.value < kNever, "a kernel without an option");
  best.plan = trace(start);
  return best;
}

}  // namespace joulecast::policy
