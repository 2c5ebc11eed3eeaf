#include "scenario/slo_judgement.hpp"

namespace joulecast::scenario {

Judged judge(const SloTable& slo, const serving::RequestRecord& request, Time end) {
  const auto& [facts, outcome] = request;
  if (outcome.fate == serving::Fate::rejected_over_context) return Judged::open;
  const bool done = outcome.fate == serving::Fate::completed;
  const bool begun = done || outcome.first_token.ns >= 0;
  const double first = ((begun ? outcome.first_token : end) - facts.arrival).seconds();
  const double whole = ((done ? outcome.last_token : end) - facts.arrival).seconds();
  if ((slo.ttft && first > slo.ttft->si()) || (slo.e2e && whole > slo.e2e->si())) return Judged::missed;
  if (!done) return Judged::open;
  if (slo.tpot && outcome.generated > 1 && (whole - first) / (outcome.generated - 1) > slo.tpot->si()) return Judged::missed;
  return Judged::within;
}

}  // namespace joulecast::scenario
