#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenario/error_source_list.hpp"

namespace joulecast::scenario {

namespace {

using hardware::GpuProfile;

/// A figure of a GPU: what people call it, where it is, its error, and how a factor moves it.
struct GpuFigure {
  const char *words, *key;
  std::optional<double> (*error)(const GpuProfile&);
  void (*move)(GpuProfile&, double factor);
};

void scale_within(hardware::Figure<double>& figure, double factor, double least, double most) {
  figure.value = std::clamp(factor * figure.value, least, most);
}

constexpr double kSharpest = 64, kHighestVoltage = 3;  // as profiles may have them

constexpr GpuFigure kBare[] = {
    {"bare idle watts", "idle.bare", [](const GpuProfile& g) { return g.idle.bare.error; }, [](GpuProfile& g, double f) { scale(g.idle.bare, f); }},
};
constexpr GpuFigure kContext[] = {
    {"context idle watts", "idle.context", [](const GpuProfile& g) { return g.idle.context.error; },
     [](GpuProfile& g, double f) { scale(g.idle.context, f); }},
};
constexpr GpuFigure kSpin[] = {
    {"spin-wait watts", "idle.spin_wait", [](const GpuProfile& g) { return g.idle.spin_wait.error; },
     [](GpuProfile& g, double f) { scale(g.idle.spin_wait, f); }},
};

constexpr GpuFigure kMemory[] = {
    {"engine memory", "memory_overhead.engine", [](const GpuProfile& g) { return g.overhead.engine.error; },
     [](GpuProfile& g, double f) { scale(g.overhead.engine, f); }},
};

constexpr GpuFigure kClocks[] = {
    {"core share of memory-bound time", "clock_form.memory_bound", [](const GpuProfile& g) { return g.clock.memory_bound.error; },
     [](GpuProfile& g, double f) { scale_share(g.clock.memory_bound, f); }},
    {"core share of prompt attention", "clock_form.context_attention", [](const GpuProfile& g) { return g.clock.context_attention.error; },
     [](GpuProfile& g, double f) { scale_share(g.clock.context_attention, f); }},
    {"core share of collectives", "clock_form.collective", [](const GpuProfile& g) { return g.clock.collective.error; },
     [](GpuProfile& g, double f) { scale_share(g.clock.collective, f); }},
    {"sharpness of time over clocks", "clock_form.sharpness", [](const GpuProfile& g) { return g.clock.sharpness.error; },
     [](GpuProfile& g, double f) { scale_within(g.clock.sharpness, f, 1, kSharpest); }},
    {"dynamic share of watts", "power_split.dynamic_share", [](const GpuProfile& g) { return g.power.dynamic_share.error; },
     [](GpuProfile& g, double f) { scale_share(g.power.dynamic_share, f); }},
    {"voltage knee", "power_split.knee", [](const GpuProfile& g) { return g.power.knee.error; },
     [](GpuProfile& g, double f) { scale_share(g.power.knee, f); }},
    {"voltage at the top clock", "power_split.voltage_ratio", [](const GpuProfile& g) { return g.power.voltage_ratio.error; },
     [](GpuProfile& g, double f) { scale_within(g.power.voltage_ratio, f, 1, kHighestVoltage); }},
    {"clock switch latency", "switch_latency", [](const GpuProfile& g) { return g.switch_latency.error; },
     [](GpuProfile& g, double f) { scale(g.switch_latency, f); }},
};

constexpr GpuFigure kTraining[] = {
    {"training GEMM derate", "training.fitted.gemm_derate", [](const GpuProfile& g) { return g.training->fitted.gemm_derate.error; },
     [](GpuProfile& g, double f) { scale_share(g.training->fitted.gemm_derate, f); }},
    {"training elementwise efficiency", "training.fitted.elementwise", [](const GpuProfile& g) { return g.training->fitted.elementwise.error; },
     [](GpuProfile& g, double f) { scale_share(g.training->fitted.elementwise, f); }},
    {"training NIC efficiency", "training.fitted.nic", [](const GpuProfile& g) { return g.training->fitted.nic.error; },
     [](GpuProfile& g, double f) { scale_share(g.training->fitted.nic, f); }},
    {"training host time", "training.fitted.host_layer_pass", [](const GpuProfile& g) { return g.training->fitted.host_layer_pass.error; },
     [](GpuProfile& g, double f) { scale(g.training->fitted.host_layer_pass, f); }},
};
constexpr GpuFigure kTrainingClocks[] = {
    {"dynamic share of training watts", "training.dynamic_share", [](const GpuProfile& g) { return g.training->dynamic_share.error; },
     [](GpuProfile& g, double f) { scale_share(g.training->dynamic_share, f); }},
};

/// Whether anything on the cluster may run away from the reference clock.
bool moves_clocks(const Scenario& scenario, std::size_t c) {
  const Cluster& cluster = scenario.clusters[c];
  const bool limited = scenario.sites[cluster.site].power_policy.has_value() || (cluster.feed && scenario.feeds[*cluster.feed].policy.has_value());
  const bool pools = std::any_of(scenario.pools.begin(), scenario.pools.end(), [&](const Pool& pool) {
    return pool.cluster == c && (pool.prefill_clock || pool.decode_clock || pool.power_limit || pool.clock_policy || pool.speed_factor != 1);
  });
  const bool jobs = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const TrainingJob& job) {
    return job.cluster == c && !job.profile && (job.clock || job.power_limit || !job.clock_policy.empty());
  });
  return limited || pools || jobs;
}

}  // namespace

void add_gpu_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t c, const metering::EnergyAccount& energy) {
  const GpuProfile& gpu = scenario.clusters[c].gpu;
  const std::string name = gpu.name;
  const auto add = [&](const auto& figures, const std::string& remedy) {
    for (const GpuFigure& each : figures) {
      const double error = each.error(gpu).value_or(0);
      list.add({fmt::format("{} {}", name, each.words), shown_file(gpu.file), each.key, error, error, remedy,
                [c, error, move = each.move](Scenario& drawn, double normal) { move(drawn.clusters[c].gpu, drawn_factor(error, normal)); }});
    }
  };
  const auto on_it = [c](const auto& each) { return each.cluster == c; };
  const bool serves = std::any_of(scenario.pools.begin(), scenario.pools.end(), on_it);
  const bool modelled_job = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const auto& job) { return on_it(job) && !job.profile; });
  const std::string plan = "measure it: `joulecast record --plan {} --base \"{}\"`, then `joulecast calibrate fit`";
  const std::string idle = fmt::format(fmt::runtime(plan), "idle", name);
  const bool clocks = moves_clocks(scenario, c);
  const auto drew = [&](metering::State state) { return energy.state_nanojoules[static_cast<std::size_t>(state)] > 0; };
  if (drew(metering::State::bare_idle)) add(kBare, idle);
  if (drew(metering::State::context_idle) || clocks) add(kContext, idle);
  if (drew(metering::State::spin_wait)) add(kSpin, idle);
  if (serves) add(kMemory, "write the engine's own count of KV blocks into num_gpu_blocks_override");
  if (clocks) add(kClocks, fmt::format(fmt::runtime(plan), "clock-sweep", name));
  if (!modelled_job || !gpu.training) return;
  add(kTraining, "measure iterations of this job, and fit [training.fitted] of its GPU's profile to them");
  if (clocks) add(kTrainingClocks, "measure the job's stages at the clocks that exist and name the table in the job's stage_profile");
}

}  // namespace joulecast::scenario
