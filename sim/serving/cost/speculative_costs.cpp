#include "serving/cost/speculative_costs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace joulecast::serving {

namespace {

constexpr auto kHost = static_cast<std::size_t>(Work::host);

void add(StepCost& to, const StepCost& draft, std::int64_t times) {
  for (std::size_t i = 0; i < kWorks; ++i) {
    if (i == kHost) continue;
    to.seconds[i] += times * draft.seconds[i];
    to.joules[i] += times * draft.joules[i];
  }
}

class SpeculativeCosts final : public StepCosts {
 public:
  SpeculativeCosts(std::unique_ptr<StepCosts> model, std::unique_ptr<StepCosts> draft, std::int64_t drafted)
      : model_(std::move(model)), draft_(std::move(draft)), drafted_(drafted) {}

  const DecodeSegment& decode(Phase clock, int sequences, const Contexts& contexts) const override {
    const DecodeSegment& model = model_->decode(clock, sequences, contexts);
    if (draft_ == nullptr) return model;
    const DecodeSegment& draft = draft_->decode(clock, sequences, contexts);
    const std::lock_guard lock(mutex_);
    auto& both = segments_[{&model, &draft}];
    if (both == nullptr) both = std::make_unique<const DecodeSegment>(sum(model, draft));
    return *both;
  }

  StepCost mixed(Phase clock, std::span<const Chunk> chunks, int sequences, const Contexts& contexts) const override {
    StepCost cost = model_->mixed(clock, chunks, sequences, contexts);
    if (draft_ == nullptr) return cost;
    add(cost, draft_->mixed(clock, chunks, 0, 0), 1);
    if (sequences == 0) return cost;
    const DecodeSegment& draft = draft_->decode(clock, sequences, contexts);
    StepCost proposal = draft.base;
    proposal.seconds[static_cast<std::size_t>(Work::attention)] += contexts.sum * draft.attention_seconds_per_context;
    proposal.joules[static_cast<std::size_t>(Work::attention)] += contexts.sum * draft.attention_joules_per_context;
    add(cost, proposal, drafted_);
    return cost;
  }

  FixedEnergy idle_joules_per_nanosecond() const override { return model_->idle_joules_per_nanosecond(); }
  Provenance time_provenance(Work) const override { return Provenance::modelled; }
  Provenance watts_provenance(Work) const override { return Provenance::modelled; }
  Span switch_latency() const override { return model_->switch_latency(); }
  bool one_clock() const override { return model_->one_clock(); }
  bool knows_uneven() const override { return model_->knows_uneven() || (draft_ != nullptr && draft_->knows_uneven()); }
  std::unique_ptr<StepCosts> at_point(const OperatingPoint& point) const override {
    return std::make_unique<SpeculativeCosts>(model_->at_point(point), draft_ == nullptr ? nullptr : draft_->at_point(point), drafted_);
  }

 private:
  /// Both stay where they are; the order of the keys decides nothing.
  using Key = std::pair<const DecodeSegment*, const DecodeSegment*>;

  DecodeSegment sum(const DecodeSegment& model, const DecodeSegment& draft) const {
    DecodeSegment both = model;
    add(both.base, draft.base, drafted_);
    both.attention_seconds_per_context += drafted_ * draft.attention_seconds_per_context;
    both.attention_joules_per_context += drafted_ * draft.attention_joules_per_context;
    both.base_seconds = both.base.total_seconds();
    both.base_joules = both.base.total_joules();
    both.context_from = std::max(model.context_from, draft.context_from);
    both.context_to = std::min(model.context_to, draft.context_to);
    return both;
  }

  std::unique_ptr<StepCosts> model_, draft_;
  std::int64_t drafted_;
  mutable std::mutex mutex_;
  mutable std::map<Key, std::unique_ptr<const DecodeSegment>> segments_;
};

}  // namespace

llm::Architecture eagle_head(llm::Architecture model) {
  model.layers = 1;
  model.name += " (EAGLE head)";
  return model;
}

std::unique_ptr<StepCosts> speculative_costs(std::unique_ptr<StepCosts> model_costs, std::unique_ptr<StepCosts> draft, std::int64_t drafted) {
  return std::make_unique<SpeculativeCosts>(std::move(model_costs), std::move(draft), drafted);
}

}  // namespace joulecast::serving
