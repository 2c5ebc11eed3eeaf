#include "validation/registry.hpp"

#include <utility>

#include "validation/all_reduce.hpp"
#include "validation/clock_calibration.hpp"
#include "validation/dgxc.hpp"
#include "validation/engine_queues.hpp"
#include "validation/kernel_dvfs.hpp"
#include "validation/load_curve.hpp"
#include "validation/megatron.hpp"
#include "validation/ml_energy.hpp"
#include "validation/node_power.hpp"
#include "validation/perseus.hpp"
#include "validation/schedules.hpp"
#include "validation/trace_totals.hpp"
#include "validation/training_savings.hpp"
#include "validation/vllm_run.hpp"
#include "validation/vtrain.hpp"
#include "validation/wilkins.hpp"
#include "validation/wilkins_fits.hpp"
#include "validation/wilkins_optimum.hpp"
#include "validation/zeus.hpp"

namespace joulecast::validation {
namespace {

Comparison queue(std::string name, std::string words, Service service, int servers, double expected) {
  Entry entry{"engine." + name + ".mean_wait",
              words + " mean wait, rho 0.8, service 1 s",
              "queueing formula",
              expected,
              "s",
              "3 standard errors of 30 replications, seeds 1..30, 1000000 customers each, first 50000 left out",
              Kind::exact};
  return {{std::move(entry)}, [service, servers](const Sources&) -> std::optional<std::vector<Ours>> {
            const QueueCheck check = mean_wait_check(service, servers, 0.8);
            return std::vector<Ours>{{check.mean, check.standard_error}};
          }};
}

}  // namespace

std::vector<Comparison> comparisons() {
  std::vector<Comparison> all = calibrations();
  for (Comparison each : {queue("md1", "M/D/1", Service::constant, 1, 2), queue("mm1", "M/M/1", Service::exponential, 1, 4),
                          queue("mm4", "M/M/4", Service::exponential, 4, 0.745560)}) {
    all.push_back(std::move(each));
  }
  for (Comparison& each : load_curve()) all.push_back(std::move(each));
  all.push_back(ml_energy());
  for (Comparison& run : vllm_runs()) all.push_back(std::move(run));
  all.push_back(wilkins_alpaca());
  for (Comparison& fit : wilkins_fits()) all.push_back(std::move(fit));
  all.push_back(wilkins_optimum());
  for (Comparison& trace : trace_totals()) all.push_back(std::move(trace));
  all.push_back(all_reduce_ring_factor());
  all.push_back(h100_node_power());
  all.push_back(node_power_blind());
  all.push_back(dgxc());
  for (Comparison& each : kernel_dvfs()) all.push_back(std::move(each));
  all.push_back(megatron());
  for (Comparison& each : perseus_emulations()) all.push_back(std::move(each));
  for (Comparison& each : training_savings()) all.push_back(std::move(each));
  all.push_back(schedule_1f1b());
  all.push_back(vtrain_multi_node());
  all.push_back(vtrain_single_node());
  for (Comparison& each : zeus_power_limits()) all.push_back(std::move(each));
  return all;
}

std::vector<Comparison> comparisons(const Sources& sources) {
  std::vector<Comparison> all = comparisons();
  for (Comparison& run : further_vllm_runs(sources)) all.push_back(std::move(run));
  return all;
}

}  // namespace joulecast::validation
