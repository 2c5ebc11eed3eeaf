#include "study/replications.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/philox.hpp"

namespace joulecast::study {

namespace {

constexpr std::uint64_t kSeeds = 9'000'000'000'000'000;  // what a scenario's seed may be

bool replays_traces(const scenario::Scenario& scenario) {
  return std::any_of(scenario.traffics.begin(), scenario.traffics.end(), [](const scenario::Traffic& t) { return t.trace.has_value(); });
}

}  // namespace

Spread spread_of(const scenario::CompareTable& compare) {
  if (!compare.intervals()) return Spread::none;
  return compare.resample ? Spread::blocks : Spread::draws;
}

std::vector<Replication> replications_of(const scenario::CompareTable& compare, std::uint64_t seed) {
  std::vector<Replication> all = {{seed, false}};
  const Spread spread = spread_of(compare);
  const auto count = static_cast<std::size_t>(compare.replications.value_or(1)) + (spread == Spread::blocks ? 1 : 0);
  while (all.size() < count) {
    Stream random(seed, "compare", fmt::format("replication {}", all.size()));
    all.push_back({random.below(kSeeds), spread == Spread::blocks});
  }
  return all;
}

scenario::Scenario replicated(const scenario::Scenario& arm, const Replication& replication, const scenario::CompareTable& compare) {
  scenario::Scenario scenario = arm;
  scenario.seed = replication.seed;
  if (!replication.resampled) return scenario;
  for (scenario::Traffic& traffic : scenario.traffics) {
    if (traffic.trace) traffic.resample = compare.resample->of_a_trace();
  }
  return scenario;
}

void check_resample(const scenario::Arms& arms) {
  if (!arms.compare.resample) return;
  for (const scenario::Arm& arm : arms.arms) {
    if (replays_traces(arm.scenario)) return;
  }
  throw UserError(arms.compare.resample->place, "no traffic replays a trace, so there is nothing to resample",
                  "leave resample out: each replication draws other requests by its seed");
}

void refuse_intervals(const scenario::Arms& arms) {
  const scenario::Scenario& scenario = arms.arms[arms.reference].scenario;
  std::string fixed;
  for (const scenario::Traffic& traffic : scenario.traffics) {
    fixed += fmt::format("traffic \"{}\" {}, ", traffic.name, traffic.trace ? "replays its trace as it is" : "is the same for every seed");
  }
  for (const scenario::TrainingJob& job : scenario.jobs) {
    fixed += fmt::format("job \"{}\" {}, ", job.name, job.jitter > 0 ? "is the same for every seed" : "has no jitter");
  }
  if (!scenario.traffics.empty()) fixed += "the routers draw nothing, ";
  const bool trace = replays_traces(scenario);
  throw UserError(arms.compare.place,
                  fmt::format("replications = {}, and nothing is random: {}so every replication is the same", *arms.compare.replications, fixed),
                  trace                   ? "add resample = { what = \"arrivals\", blocks = \"5 min\" } to [compare], or leave replications out"
                  : scenario.jobs.empty() ? "leave replications out"
                                          : "leave replications out, or give the job jitter");
}

}  // namespace joulecast::study
