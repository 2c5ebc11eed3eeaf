#include "study/arm_run.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::study {

namespace {

struct Stopped {};

scenario::Result simulated(const scenario::Scenario& scenario, const std::atomic<bool>* stop) {
  scenario::RunOptions options;
  options.keep_requests = true;
  options.stop = stop;
  scenario::Result result = scenario::simulate(scenario, options);
  if (result.partial) throw Stopped{};
  return result;
}

std::uint64_t hash_of_requests(const scenario::Result& result) {
  std::uint64_t hash = 0;
  for (const auto& [traffic, requests] : result.requests) {
    hash = mix(hash, hash_text(traffic));
    for (std::uint32_t number = 0; number < requests->size(); ++number) {
      const traces::Request& facts = (*requests)[number].facts;
      hash = mix(mix(hash, static_cast<std::uint64_t>(facts.arrival.ns)),
                 static_cast<std::uint64_t>(facts.input) << 32 | static_cast<std::uint64_t>(facts.output));
    }
  }
  return hash;
}

/// Finds the load and leaves the result of the run at it, or none.
LoadAtSlo find_load(const scenario::Scenario& scenario, const std::atomic<bool>* stop, std::optional<scenario::Result>& kept) {
  LoadAtSlo at;
  // `at` and `kept` are of the greatest load that held and below which none failed; where there is none, `at` is of the least that failed.
  std::optional<double> kept_load, least_failed;
  const auto judge = [&](double load) {
    const scenario::Scenario scaled = with_load(scenario, load);
    scenario::Result result = simulated(scaled, stop);
    auto reached = attainments(scaled, result);
    const Judgement judged = judgement(reached);
    const bool told = std::all_of(reached.begin(), reached.end(), [](const Attainment& each) { return each.judged > 0; });
    if (!judged.held && kept && load < *kept_load) {
      kept.reset();
      kept_load.reset();
      at = {};
    }
    const bool wanted =
        judged.held ? !(least_failed && load > *least_failed) && !(kept && load < *kept_load) : told && !kept && (!kept_load || load < *kept_load);
    if (!judged.held) least_failed = std::min(load, least_failed.value_or(load));
    if (!wanted) return judged;
    kept_load = load;
    at.attainments = std::move(reached);
    at.requests_per_s = requests_per_second(scaled, result);
    if (judged.held) kept = std::move(result);
    return judged;
  };
  at.found = search_load(judge, load_bounds(scenario));
  JOULECAST_CHECK(kept.has_value() == at.found.load.has_value() && (!kept || kept_load == at.found.load), "the run at the found load was not kept");
  return at;
}

}  // namespace

std::optional<RawRun> run_arm(const scenario::Scenario& scenario, const scenario::CompareTable& settings, const std::atomic<bool>* stop) {
  RawRun raw;
  raw.scenario = scenario;
  try {
    if (settings.hold == scenario::Hold::slo) {
      raw.run.load = find_load(scenario, stop, raw.result);
      if (raw.run.load->found.load) raw.scenario = with_load(scenario, *raw.run.load->found.load);
    } else {
      raw.result = simulated(scenario, stop);
    }
  } catch (const Stopped&) {
    return std::nullopt;
  }
  if (!raw.result) return raw;
  raw.figures = figures_of(*raw.result, settings.boundary);
  if (raw.run.load) {
    raw.figures.insert(raw.figures.begin(), {{"load.requests_per_s", "1/s", Figure::Better::higher}, raw.run.load->requests_per_s});
  }
  raw.run.requests = hash_of_requests(*raw.result);
  raw.result->requests.clear();
  return raw;
}

}  // namespace joulecast::study
