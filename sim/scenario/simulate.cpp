#include "scenario/simulate.hpp"

#include "scenario/run.hpp"

namespace joulecast::scenario {

Result simulate(const Scenario& scenario, const RunOptions& options) {
  Run run(scenario, options);
  const engine::RunStats stats = run.run();
  return run.result(stats);
}

}  // namespace joulecast::scenario
