#pragma once

#include <memory>
#include <optional>

#include "base/error.hpp"
#include "config/record.hpp"
#include "control/power_controller.hpp"

namespace joulecast::policy {

/// Keys of a `[policy.NAME]` with `use = "budget"`.
struct BudgetParameters {
  std::optional<Watts> watts;
  std::optional<config::Priced<MoneyPerJoule>> price_above;
  std::optional<GramsPerJoule> carbon_above;
  std::optional<Watts> watts_above;
  Seconds period{1};
  Watts step{10};
  double headroom = 0.25;
};

config::Record<BudgetParameters> budget_record();

/// Holds a site or a feed to so many watts by power limits on its GPUs. What they may draw is what they draw now and what the budget leaves over; every
/// pool gets its boards' least limit; then, those of high priority first, what it draws and `headroom` of that; then what is left up to the limit that it
/// has anyway, high priority first. Within a priority a scarce rest goes in proportion to what the pools draw. What is left over goes to GPUs watt for
/// watt, though supplies lose and fans take more as GPUs draw more: where all GPUs draw their limits the budget is exceeded by that growth until the
/// next reading. A limit is a whole multiple of `step`; where it would be at or above what the pool sets anyway there is none.
/// The budget is `watts_above` while the site's price or carbon intensity is above `price_above` or `carbon_above`. Throws UserError at `place` where
/// the site states no such signal, or no budget is known.
std::unique_ptr<control::PowerController> make_budget(const BudgetParameters& parameters, const control::PowerFacts& facts, const Place& place);

}  // namespace joulecast::policy
