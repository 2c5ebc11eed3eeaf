#include "policy/scaling/loading.hpp"

namespace joulecast::policy {

control::LoadTimes load_times(const LoadingParameters& loading, const control::ScalingFacts& facts) {
  return {span_from_seconds(loading.load_time.si()), loading.load_power.value_or(facts.loaded), facts.unloaded};
}

Span break_even(const LoadingParameters& loading, const control::ScalingFacts& facts) {
  const double saved = (facts.loaded - facts.unloaded).si();
  const double spent = (loading.load_power.value_or(facts.loaded) - facts.unloaded).si();
  return saved > 0 && spent > 0 ? span_from_seconds(loading.load_time.si() * spent / saved) : Span{0};
}

}  // namespace joulecast::policy
