#include "validation/registry.hpp"

#include <utility>

#include "validation/engine_queues.hpp"
#include "validation/trace_totals.hpp"
#include "validation/vllm_run.hpp"

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
  std::vector<Comparison> all = {queue("md1", "M/D/1", Service::constant, 1, 2), queue("mm1", "M/M/1", Service::exponential, 1, 4),
                                 queue("mm4", "M/M/4", Service::exponential, 4, 0.745560), rtx4090_llama_8b()};
  for (Comparison& trace : azure_traces()) all.push_back(std::move(trace));
  return all;
}

}  // namespace joulecast::validation
