#include <algorithm>

#include "scenario/run.hpp"

namespace joulecast::scenario {

void Run::read_coverage(Result& result) const {
  double joules = 0, seconds = 0;
  std::map<std::string, double> energy, time;
  const auto idle = [&](metering::State state, const metering::PoolAccount& pool, hardware::FigureKind kind) {
    const double idle_joules = 1e-9 * static_cast<double>(pool.state_nanojoules[static_cast<std::size_t>(state)]);
    energy[std::string(name(hardware::provenance(kind)))] += idle_joules;
    joules += idle_joules;
  };
  for (std::size_t p = 0; p < result.energy.pools.size(); ++p) {
    const metering::PoolAccount& account = result.energy.pools[p];
    if (p >= scenario_.pools.size() + scenario_.jobs.size()) {
      // One account of all clusters' unused GPUs: known no better than the worst of their figures.
      hardware::FigureKind kind = hardware::FigureKind::measured;
      for (std::size_t c = 0; c < scenario_.clusters.size(); ++c) {
        const auto& unused = placement_.unused_gpus[c];
        const auto own = scenario_.clusters[c].gpu.idle.bare.kind;
        const bool worse = hardware::provenance(own) > hardware::provenance(kind);
        if (worse && std::any_of(unused.begin(), unused.end(), [](int gpus) { return gpus > 0; })) kind = own;
      }
      idle(metering::State::bare_idle, account, kind);
      continue;
    }
    if (p >= scenario_.pools.size()) {
      const auto& states = scenario_.clusters[scenario_.jobs[p - scenario_.pools.size()].cluster].gpu.idle;
      idle(metering::State::bare_idle, account, states.bare.kind);
      idle(metering::State::spin_wait, account, states.spin_wait.kind);
    } else {
      idle(metering::State::context_idle, account, scenario_.clusters[scenario_.pools[p].cluster].gpu.idle.context.kind);
    }
    for (const metering::ClassAccount& spent : account.classes) {
      energy[std::string(name(spent.watts_provenance))] += spent.joules;
      time[std::string(name(spent.time_provenance))] += spent.seconds;
      joules += spent.joules;
      seconds += spent.seconds;
    }
  }
  for (const auto& [provenance, share] : energy) {
    if (joules > 0 && share > 0) result.energy_coverage[provenance] = share / joules;
  }
  for (const auto& [provenance, share] : time) {
    if (seconds > 0 && share > 0) result.time_coverage[provenance] = share / seconds;
  }
}

}  // namespace joulecast::scenario
