#pragma once

#include <optional>
#include <vector>

#include "metering/meter.hpp"
#include "reference_serving/problem.hpp"
#include "serving/replica.hpp"

namespace joulecast::reference {

class ListStream final : public traces::RequestStream {
 public:
  explicit ListStream(const Problem& problem) : requests_(problem.requests), prefixes_(problem.prefixes) {}
  std::optional<traces::Request> next() override {
    if (at_ == requests_.size()) return std::nullopt;
    return requests_[at_++];
  }
  const traces::PrefixTree* prefixes() const override { return prefixes_; }

 private:
  const std::vector<traces::Request>& requests_;
  const traces::PrefixTree* prefixes_;
  std::size_t at_ = 0;
};

inline bool is_exact(const metering::Meter& meter, Time end) {
  FixedTime covered, class_seconds;
  FixedEnergy class_joules;
  for (int state = 0; state < metering::kStates; ++state) covered += meter.seconds(static_cast<metering::State>(state));
  for (metering::ClassId id = 0; id < serving::kWorks; ++id) {
    class_seconds += meter.class_seconds(id);
    class_joules += meter.class_joules(id);
  }
  return covered == to_fixed(end) && class_joules == meter.joules(metering::State::active) && class_seconds == meter.seconds(metering::State::active);
}

inline ReplicaAnswer answer_of(const serving::ReplicaStatistics& s, const metering::Meter& meter) {
  return {meter.joules(metering::State::active),
          meter.joules(metering::State::context_idle),
          s.busy,
          s.block_time,
          s.steps,
          s.sequence_steps,
          s.output_tokens,
          s.preemptions,
          s.prefix_queries,
          s.prefix_hits,
          s.inter_token.front().count(),
          {}};
}

}  // namespace joulecast::reference
