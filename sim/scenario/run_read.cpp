#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "metering/tariff.hpp"
#include "scenario/activity.hpp"
#include "scenario/costs.hpp"
#include "scenario/run.hpp"
#include "scenario/spread.hpp"
#include "scenario/statistics.hpp"

namespace joulecast::scenario {

void Run::charge_unused(Time end) {
  for (const auto& [meter, bare_idle] : unused_) {
    const FixedEnergy each = FixedEnergy::from_units(bare_idle.si() * 1e-9);
    meter->add(metering::State::bare_idle, to_fixed(Time{0}), to_fixed(end), end.ns * each);
  }
}

void Run::state_provenance() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const JobProvenance known = job_provenance(scenario_, scenario_.jobs[j]);
    for (const metering::ClassId id :
         {job_classes_.forward, job_classes_.backward, job_classes_.recompute, job_classes_.optimizer, job_classes_.communication}) {
      ledger_.set_provenance(jobs_[j].account, id, known.time, known.watts);
    }
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (int w = 0; w < serving::kWorks; ++w) {
      const auto work = static_cast<serving::Work>(w);
      ledger_.set_provenance(p, static_cast<metering::ClassId>(w), pools_[p].points->time_provenance(work), pools_[p].points->watts_provenance(work));
    }
  }
}

Result Run::result(const engine::RunStats& stats) {
  charge_unused(stats.end);
  state_provenance();
  Result result;
  result.name = scenario_.name;
  result.seed = scenario_.seed;
  result.horizon_s = stats.end.seconds();
  result.warmup_s = scenario_.warmup.si();
  result.partial = stats.stopped;
  result.energy = ledger_.close(stats.end, Span{warmup_.ns});
  for (std::size_t p = 0; p < pools_.size(); ++p) result.pools.push_back(pool_result(p, stats.end));
  for (std::size_t j = 0; j < jobs_.size(); ++j) result.jobs.push_back(training_result(j));
  FixedEnergy attributed;
  for (std::size_t t = 0; t < traffics_.size(); ++t) {
    result.traffics.push_back(read_traffic(t, stats.end));
    const serving::RequestTable& table = *traffics_[t].table;
    for (std::uint32_t number = 0; number < table.size(); ++number) attributed += table[number].outcome.joules;
    if (options_.keep_requests) result.requests.emplace_back(scenario_.traffics[t].name, traffics_[t].table);
  }
  const double active = 1e-9 * static_cast<double>(result.energy.state_nanojoules[static_cast<int>(metering::State::active)]);
  result.audit.attributed_share = active > 0 ? attributed.units() / active : 1;
  for (const auto& nodes : placement_.unused_gpus) {
    for (const int gpus : nodes) result.no_pool_gpus += gpus;
  }
  result.spread = spread(scenario_, result.energy);
  read_sites(result, stats.end);
  read_feeds(result);
  read_money(result, attributed);
  read_coverage(result);
  read_routing(result);
  std::vector<const serving::RequestTable*> tables;
  for (const Brought& brought : traffics_) tables.push_back(brought.table.get());
  result.activity = find_activity(tables, result.pool_of_replica, pools_.size(), stats.end);
  read_control(result, stats.end);
  for (const auto& path : scenario_.inputs) result.inputs.push_back({path, sha256_of_file(path)});
  result.notes.insert(result.notes.begin(), scenario_.notes.begin(), scenario_.notes.end());
  result.events = stats.events;
  result.windows = stats.windows;
  result.parallel_windows = stats.parallel_windows;
  for (const auto& each : stats.fingerprints) {
    result.fingerprint += fmt::format("{} {} {:016x}\n", each.time.ns, simulation_.name(each.entity), each.hash);
  }
  return result;
}

}  // namespace joulecast::scenario
