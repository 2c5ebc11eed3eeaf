#include "study/fleet_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "scenario/slo_judgement.hpp"
#include "study/tail.hpp"

namespace joulecast::study {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What a request took; infinite what never came.
struct Taken {
  double ttft = kNever, tpot = kNever, e2e = kNever;
};

Taken taken(const serving::RequestRecord& request) {
  const auto& [facts, outcome] = request;
  Taken times;
  const bool done = outcome.fate == serving::Fate::completed;
  const bool begun = done || outcome.first_token.ns >= 0;
  if (begun) times.ttft = (outcome.first_token - facts.arrival).seconds();
  if (!done) return times;
  times.e2e = (outcome.last_token - facts.arrival).seconds();
  times.tpot = outcome.generated > 1 ? (times.e2e - times.ttft) / (outcome.generated - 1) : 0;
  return times;
}

/// The tightest limit on `one` at which at most `allowed` requests miss, those in `others` kept.
std::optional<double> tightest(std::vector<double> one, std::uint64_t lost, std::int64_t allowed) {
  const std::int64_t left = allowed - static_cast<std::int64_t>(lost);
  if (left < 0 || one.empty()) return std::nullopt;
  const auto skip = static_cast<std::size_t>(left);
  if (skip >= one.size()) return 0.0;
  std::nth_element(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(skip), one.end(), std::greater<>());
  return std::isfinite(one[skip]) ? std::optional(one[skip]) : std::nullopt;
}

struct Limit {
  const char* name;
  std::optional<Seconds> limit;
  double Taken::*value;
};

}  // namespace

double TailJudgement::margin() const {
  if (judged == 0) return -required;
  return (static_cast<double>(allowed) - static_cast<double>(misses)) / static_cast<double>(judged);
}

std::string TailJudgement::worst() const {
  const auto most = std::max_element(limits.begin(), limits.end(), [](const SloLimit& a, const SloLimit& b) { return a.misses < b.misses; });
  return most == limits.end() || most->misses == 0 ? "" : most->name;
}

std::vector<TailJudgement> judge_tails(const scenario::Scenario& scenario, const scenario::Result& result, double confidence) {
  std::vector<TailJudgement> all;
  const Time end{span_from_seconds(result.horizon_s).ns}, warmup{span_from_seconds(result.warmup_s).ns};
  for (std::size_t t = 0; t < scenario.traffics.size(); ++t) {
    const scenario::Traffic& traffic = scenario.traffics[t];
    if (!traffic.slo) continue;
    const scenario::SloTable& slo = *traffic.slo;
    const Limit stated[] = {{"ttft", slo.ttft, &Taken::ttft}, {"tpot", slo.tpot, &Taken::tpot}, {"e2e", slo.e2e, &Taken::e2e}};
    TailJudgement tail;
    tail.traffic = traffic.name;
    tail.required = slo.attainment.value;
    std::vector<Taken> requests;
    const serving::RequestTable& table = *result.requests.at(t).second;
    for (std::uint32_t number = 0; number < table.size(); ++number) {
      if (table[number].facts.arrival < warmup) continue;
      const scenario::Judged each = scenario::judge(slo, table[number], end);
      if (each == scenario::Judged::open) continue;
      requests.push_back(taken(table[number]));
      tail.misses += each == scenario::Judged::missed ? 1 : 0;
    }
    tail.judged = requests.size();
    tail.allowed = most_misses(tail.judged, tail.required, confidence);
    tail.share = tail.judged > 0 ? 1 - static_cast<double>(tail.misses) / static_cast<double>(tail.judged) : 0;
    for (const Limit& limit : stated) {
      if (!limit.limit) continue;
      SloLimit entry{limit.name, limit.limit->si(), {}, 0};
      std::vector<double> kept;
      std::uint64_t lost = 0;
      for (const Taken& each : requests) {
        const bool others = std::all_of(std::begin(stated), std::end(stated), [&](const Limit& other) {
          return other.value == limit.value || !other.limit || each.*other.value <= other.limit->si();
        });
        entry.misses += each.*limit.value > entry.limit_s ? 1 : 0;
        if (others) {
          kept.push_back(each.*limit.value);
        } else {
          ++lost;
        }
      }
      entry.holds = tightest(std::move(kept), lost, tail.allowed);
      tail.limits.push_back(std::move(entry));
    }
    all.push_back(std::move(tail));
  }
  return all;
}

Judgement judgement(const std::vector<TailJudgement>& tails) {
  Judgement all{true, 1};
  for (const TailJudgement& each : tails) {
    all.held = all.held && each.held();
    all.margin = std::min(all.margin, each.margin());
  }
  return all;
}

}  // namespace joulecast::study
