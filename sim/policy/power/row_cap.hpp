#pragma once

#include <memory>

#include "base/error.hpp"
#include "config/record.hpp"
#include "control/power_controller.hpp"

namespace joulecast::policy {

/// Keys of a `[policy.NAME]` with `use = "row_cap"`. Thresholds are shares of the usable watts, clocks shares of a GPU's highest clock.
struct RowCapParameters {
  double first_threshold = 0.80, second_threshold = 0.89, release = 0.05;
  double low_clock = 0.904, low_clock_second = 0.787, high_clock = 0.926;
  double brake = 1.0, brake_clock = 0.204;
  Seconds period{2}, latency{40}, brake_latency{5};
};

config::Record<RowCapParameters> row_cap_record();

/// Two thresholds, low priority first, as POLCA does it (Patel et al., "POLCA: Power Oversubscription in LLM Cloud Providers", arXiv 2308.12908): above
/// the first, pools of low priority are locked to low_clock; above the second, to low_clock_second, and if the row is still above it at the next
/// decision, pools of high priority to high_clock. A lock is taken back once the row is `release` below the threshold that set it. At `brake` all
/// pools go to brake_clock. Throws UserError at `place` for a site, which has no rating.
std::unique_ptr<control::PowerController> make_row_cap(const RowCapParameters& parameters, const control::PowerFacts& facts, const Place& place);

}  // namespace joulecast::policy
