#include "policy/clocks/slo_dvfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace joulecast::policy {
namespace {

using control::ClockPoint;
using control::ClockSetting;
using control::ReplicaState;

/// More of its time than this an engine can't give to prompts while it keeps up.
constexpr double kMostPromptShare = 0.95;

class SloDvfs final : public control::ClockController {
 public:
  SloDvfs(const SloDvfsParameters& parameters, const control::ClockFacts& facts) : parameters_(parameters), facts_(facts) {}

  ClockSetting first() const override { return facts_.given; }
  std::optional<Span> period() const override { return span_from_seconds(parameters_.period.si()); }

  ClockSetting decide(const ReplicaState& now, const ReplicaState& before) const override {
    const Load load = project(now, before);
    for (const ClockPoint& prefill : at_least_joules(facts_.given.prefill, [&](const ClockPoint& point) { return point.prompt_j(kTypicalPrompt); })) {
      const double share = load.prompt_tokens_a_second * prefill.prompt_seconds[1];
      if (share > kMostPromptShare) continue;
      for (const ClockPoint& decode :
           at_least_joules(facts_.given.decode, [&](const ClockPoint& point) { return point.decode_j(load.batch, load.context); })) {
        const double step = decode.decode_s(load.batch, load.context);
        const double token = step / facts_.belief.tokens_a_step;
        if (facts_.limits.tpot_s && token / (1 - share) > (1 - parameters_.margin) * *facts_.limits.tpot_s) continue;
        if (facts_.limits.ttft_s && prefill.prompt_s(load.prompt_tokens) + step > (1 - parameters_.margin) * *facts_.limits.ttft_s) continue;
        return {prefill.clock, decode.clock};
      }
    }
    return facts_.given;
  }

 private:
  static constexpr double kTypicalPrompt = 1024;  // of the step whose least joules bound the prefill clock

  struct Load {
    double batch = 1, context = 1, prompt_tokens = 1, prompt_tokens_a_second = 0;
  };

  Load project(const ReplicaState& now, const ReplicaState& before) const {
    Load load;
    const double seconds = parameters_.period.si();
    const auto requests = static_cast<double>(now.requests_arrived - before.requests_arrived);
    const auto arriving = static_cast<double>(now.prompt_tokens_arrived - before.prompt_tokens_arrived);
    load.batch = std::clamp(now.outstanding() + requests, 1.0, static_cast<double>(facts_.max_num_seqs));
    load.prompt_tokens = static_cast<double>(now.tokens_queued) + (requests > 0 ? arriving / requests : 0);
    load.prompt_tokens_a_second = arriving / seconds;
    const double given = static_cast<double>(now.output_tokens - before.output_tokens) / load.batch;
    load.context = std::max(1.0, static_cast<double>(now.context + now.tokens_queued) + arriving + load.batch * given / 2);
    return load;
  }

  /// Profiled clocks up to the given one, from that of least joules on.
  template <class Joules>
  std::span<const ClockPoint> at_least_joules(Hertz given, Joules joules) const {
    const auto points = facts_.belief.between(Hertz(0), given);
    const auto least =
        std::min_element(points.begin(), points.end(), [&](const ClockPoint& a, const ClockPoint& b) { return joules(a) < joules(b); });
    return points.subspan(static_cast<std::size_t>(least - points.begin()));
  }

  SloDvfsParameters parameters_;
  control::ClockFacts facts_;
};

}  // namespace

config::Record<SloDvfsParameters> slo_dvfs_record() {
  using P = SloDvfsParameters;
  config::Record<P> record("slo_dvfs");
  record.optional("period", &P::period, "\"1 s\"", config::Bounds::between(0.01, 3600), "time between two decisions")
      .optional("margin", &P::margin, "0.1", config::Bounds::between(0, 0.9), "believed latencies stay below 1 - margin of their limits");
  return record;
}

std::unique_ptr<control::ClockController> make_slo_dvfs(const SloDvfsParameters& parameters, const control::ClockFacts& facts) {
  return std::make_unique<SloDvfs>(parameters, facts);
}

void check_slo_dvfs(const control::ClockFacts& facts, const Place& place, config::Diagnostics& diagnostics) {
  if (facts.limits.ttft_s || facts.limits.tpot_s) return;
  diagnostics.error(place, fmt::format("policy \"slo_dvfs\" holds limits of TTFT and TPOT, and no traffic of pool \"{}\" states one", facts.pool),
                    "add slo = { ttft = \"2 s\", tpot = \"80 ms\" } to its traffic");
}

}  // namespace joulecast::policy
