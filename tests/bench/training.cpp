// Training iterations in the engine, unfolded by jitter, with energy in the ledger: 1F1B, a synchronisation of gradients and an optimizer a stage.
//   bench_training rate STAGES REPLICAS MICROBATCHES ITERATIONS   prints operations (passes, synchronisations, optimizers) a CPU second
//   bench_training cost STAGES REPLICAS MICROBATCHES ITERATIONS   prints CPU seconds and the process's peak memory in MB

#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "engine/simulation.hpp"
#include "metering/ledger.hpp"
#include "training/graph.hpp"
#include "training/job.hpp"

using namespace joulecast;
using namespace joulecast::training;

namespace {

constexpr int kGpusPerStage = 8;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

OperatingPoint point(double seconds, double communication, double recompute) {
  const double watts = 350 * kGpusPerStage;
  OperatingPoint p;
  p.clock = Hertz(1.41e9);
  p.time = FixedTime::from_units(seconds);
  p.energy = FixedEnergy::from_units(watts * seconds);
  p.communication_time = FixedTime::from_units(communication);
  p.communication_energy = FixedEnergy::from_units(watts * communication);
  p.recompute_time = FixedTime::from_units(recompute);
  p.recompute_energy = FixedEnergy::from_units(watts * recompute);
  return p;
}

Iteration pipeline(std::int32_t stages, std::int32_t microbatches) {
  IterationParts parts;
  parts.costs = {{point(0.05, 0.005, 0)}, {point(0.15, 0.01, 0.05)}, {point(0.2, 0.2, 0)}, {point(0.02, 0, 0)}};
  StageKinds stage;
  stage.chunks = {{0, 1, -1, -1}};
  stage.gradient_sync = 2;
  stage.optimizer = 3;
  parts.stages.assign(static_cast<std::size_t>(stages), stage);
  parts.blocking.assign(static_cast<std::size_t>(stages), Watts(84 * kGpusPerStage));
  parts.forward_message = parts.backward_message = FixedTime::from_units(0.001);
  return build_iteration(make_schedule(ScheduleKind::one_f_one_b, {stages, microbatches, 1}), parts);
}

/// Operations of all iterations; the ledger's audit is part of the run.
double run(std::int32_t stages, std::int32_t replicas, std::int32_t microbatches, std::int64_t iterations) {
  metering::Ledger ledger(span_from_seconds(1), 1.25);
  JobClasses classes;
  for (auto* id : {&classes.forward, &classes.backward, &classes.recompute, &classes.optimizer, &classes.communication})
    *id = ledger.register_class("work");
  const auto pool = ledger.add_pool("job");
  const std::vector<std::vector<double>> sound(static_cast<std::size_t>(replicas), std::vector<double>(static_cast<std::size_t>(stages), 1));
  Fleet fleet(pipeline(stages, microbatches), {{}}, fold(sound, true), 0.05, 1, "training/job");
  const double operations = static_cast<double>(fleet.operations()) * static_cast<double>(iterations);
  std::vector<std::vector<JobDevice>> devices;
  for (std::size_t lane = 0; lane < fleet.lanes(); ++lane) {
    const auto node = ledger.add_node("node", kGpusPerStage, {});
    devices.push_back({{&ledger.add_device("lane", pool, node, kGpusPerStage), 1}});
  }
  engine::Simulation simulation;
  simulation.add_new<Job>("training/job", engine::Level::decode, JobSetup{std::move(fleet), std::move(devices), classes, Watts(50), {}, iterations});
  const auto stats = simulation.run({});
  if (!(ledger.close(stats.end, {}).joules[0] > 0)) std::abort();
  return operations;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int position, int otherwise) { return argc > position ? std::atoi(argv[position]) : otherwise; };
  const std::string what = argc > 1 ? argv[1] : "rate";
  const double begin = cpu_seconds();
  const double operations = run(number(2, 8), number(3, 64), number(4, 32), number(5, 40));
  const double spent = cpu_seconds() - begin;
  if (what == "rate") {
    std::printf("%.0f\n", operations / spent);
  } else {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%.2f %.0f\n", spent, static_cast<double>(usage.ru_maxrss) / 1024);
  }
}
