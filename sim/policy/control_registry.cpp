#include "policy/control_registry.hpp"

#include "policy/clocks/phase_lock.hpp"
#include "policy/clocks/slo_dvfs.hpp"
#include "policy/find_by_name.hpp"
#include "policy/own_policies.hpp"
#include "policy/parameters.hpp"
#include "policy/power/budget.hpp"
#include "policy/power/row_cap.hpp"
#include "policy/scaling/autoscale.hpp"
#include "policy/scaling/sleep.hpp"

namespace joulecast::policy {
namespace {

using config::Diagnostics;
using config::Node;

std::unique_ptr<control::ClockController> phase_lock(const Node* parameters, const control::ClockFacts& facts, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  const PhaseLockParameters read = read_parameters(phase_lock_record(), parameters, diagnostics);
  return diagnostics.count() == faults ? make_phase_lock(read, facts) : nullptr;
}

std::unique_ptr<control::ClockController> slo_dvfs(const Node* parameters, const control::ClockFacts& facts, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  const SloDvfsParameters read = read_parameters(slo_dvfs_record(), parameters, diagnostics);
  check_slo_dvfs(facts, place_of(parameters), diagnostics);
  return diagnostics.count() == faults ? make_slo_dvfs(read, facts) : nullptr;
}

std::unique_ptr<control::PowerController> budget(const Node* parameters, const control::PowerFacts& facts, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  const BudgetParameters read = read_parameters(budget_record(), parameters, diagnostics);
  return diagnostics.count() == faults ? make_budget(read, facts, place_of(parameters)) : nullptr;
}

std::unique_ptr<control::PowerController> row_cap(const Node* parameters, const control::PowerFacts& facts, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  const RowCapParameters read = read_parameters(row_cap_record(), parameters, diagnostics);
  return diagnostics.count() == faults ? make_row_cap(read, facts, place_of(parameters)) : nullptr;
}

std::unique_ptr<control::Scaler> autoscale(const Node* parameters, const control::ScalingFacts& facts, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  const AutoscaleParameters read = read_parameters(autoscale_record(), parameters, diagnostics);
  return diagnostics.count() == faults ? make_autoscale(read, facts) : nullptr;
}

std::unique_ptr<control::Scaler> sleep(const Node* parameters, const control::ScalingFacts& facts, Diagnostics& diagnostics) {
  const std::size_t faults = diagnostics.count();
  const SleepParameters read = read_parameters(sleep_record(), parameters, diagnostics);
  return diagnostics.count() == faults ? make_sleep(read, facts) : nullptr;
}

}  // namespace

const std::vector<ClockControl>& clock_controls() {
  static const std::vector<ClockControl> controls = {
      {"phase_lock", "one lock for steps with prompts and one for pure decode steps, given or chosen from the pool's profile",
       phase_lock_record().describe(), phase_lock},
      {"slo_dvfs", "the lowest clocks at which a replica is believed to hold its limits of TTFT and TPOT over the next period",
       slo_dvfs_record().describe(), slo_dvfs},
  };
  static const std::vector<ClockControl> all = with_own(controls, own_policies().clock);
  return all;
}

const std::vector<PowerControl>& power_controls() {
  static const std::vector<PowerControl> controls = {
      {"budget", "GPU power limits that share so many watts over pools by what they draw, high priority first; less where power is dear or dirty",
       budget_record().describe(), budget},
      {"row_cap", "clock locks above two thresholds of a feed's usable watts, low priority first (POLCA, arXiv 2308.12908)",
       row_cap_record().describe(), row_cap},
  };
  static const std::vector<PowerControl> all = with_own(controls, own_policies().power);
  return all;
}

const std::vector<ScalingControl>& scaling_controls() {
  static const std::vector<ScalingControl> controls = {
      {"autoscale", "as many replicas loaded as outstanding requests need; fewer once loading again is paid for", autoscale_record().describe(),
       autoscale},
      {"sleep", "a replica without work is unloaded once loading it again is paid for, and wakes with a request", sleep_record().describe(), sleep},
  };
  static const std::vector<ScalingControl> all = with_own(controls, own_policies().scaling);
  return all;
}

const ClockControl* find_clock_control(std::string_view name) { return find_by_name(clock_controls(), name); }
const PowerControl* find_power_control(std::string_view name) { return find_by_name(power_controls(), name); }
const ScalingControl* find_scaling_control(std::string_view name) { return find_by_name(scaling_controls(), name); }

}  // namespace joulecast::policy
