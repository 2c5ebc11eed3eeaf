#include "policy/power/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace joulecast::policy {
namespace {

using control::PowerSetting;
using control::Priority;
using control::Signal;

class Budget final : public control::PowerController {
 public:
  Budget(const BudgetParameters& parameters, const control::PowerFacts& facts, const Signal* price, const Signal* carbon)
      : parameters_(parameters), facts_(facts), price_(price), carbon_(carbon) {
    watts_ = (parameters.watts ? *parameters.watts : *facts.usable).si();
  }

  Span period() const override { return span_from_seconds(parameters_.period.si()); }

  void decide(const control::PowerReading& reading, Time now, std::vector<PowerSetting>& settings) override {
    const std::size_t pools = facts_.pools.size();
    std::vector<double> parts(pools), wants(pools), more(pools);
    double left = budget(now) - reading.watts;
    for (std::size_t i = 0; i < pools; ++i) {
      const control::PowerPool& pool = facts_.pools[i];
      const auto gpus = static_cast<double>(pool.gpus);
      parts[i] = gpus * pool.least_cap.si();
      const double most = gpus * (pool.standard_cap - pool.least_cap).si();
      wants[i] = std::clamp((1 + parameters_.headroom) * reading.pool_gpus[i] - parts[i], 0.0, most);
      more[i] = most - wants[i];
      left += reading.pool_gpus[i] - parts[i];
    }
    for (std::vector<double>* wanted : {&wants, &more}) {
      for (const Priority priority : {Priority::high, Priority::low}) left = share_out(priority, left, reading.pool_gpus, *wanted, parts);
    }
    const double step = parameters_.step.si();
    for (std::size_t i = 0; i < pools; ++i) {
      const control::PowerPool& pool = facts_.pools[i];
      // A part that is a whole number of steps but for the last bit is not a step less.
      const double steps = std::floor(parts[i] / static_cast<double>(pool.gpus) / step + 1e-9);
      const Watts cap(std::max(pool.least_cap.si(), step * steps));
      settings[i].cap = cap < pool.standard_cap ? std::optional<Watts>(cap) : std::nullopt;
    }
  }

 private:
  double budget(Time now) const {
    const bool above = (price_ != nullptr && price_->at(now) > parameters_.price_above->amount.si()) ||
                       (carbon_ != nullptr && carbon_->at(now) > parameters_.carbon_above->si());
    return above ? parameters_.watts_above->si() : watts_;
  }

  /// Gives the pools of one priority what they want, or what is left in proportion to what they draw; returns what is left then.
  double share_out(Priority priority, double left, std::span<const double> draws, std::vector<double>& wants, std::vector<double>& parts) const {
    // Each round either spends all or satisfies a pool for good.
    for (std::size_t round = 0; round < parts.size() && left > 0; ++round) {
      double drawn = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) drawn += facts_.pools[i].priority == priority && wants[i] > 0 ? draws[i] : 0;
      if (drawn <= 0) return left;
      const double to_share = left;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (facts_.pools[i].priority != priority || wants[i] <= 0) continue;
        const double given = std::min(wants[i], to_share * draws[i] / drawn);
        parts[i] += given;
        wants[i] -= given;
        left -= given;
      }
    }
    return left;
  }

  BudgetParameters parameters_;
  control::PowerFacts facts_;
  const Signal* price_;
  const Signal* carbon_;
  double watts_ = 0;
};

}  // namespace

config::Record<BudgetParameters> budget_record() {
  using P = BudgetParameters;
  using config::Bounds;
  config::Record<P> record("budget");
  record.optional("watts", &P::watts, "a feed's usable watts", Bounds::positive(), "what may be drawn at the `it` boundary")
      .optional("price_above", &P::price_above, "absent", Bounds::any(), "electricity price above which watts_above holds: \"0.20 EUR/kWh\"")
      .optional("carbon_above", &P::carbon_above, "absent", Bounds::not_negative(), "carbon intensity above which watts_above holds: \"400 g/kWh\"")
      .optional("watts_above", &P::watts_above, "absent", Bounds::positive(), "the budget meanwhile")
      .optional("period", &P::period, "\"1 s\"", Bounds::between(0.01, 3600), "time between two readings")
      .optional("step", &P::step, "\"10 W\"", Bounds::between(1, 1000), "limits are whole multiples of it")
      .optional("headroom", &P::headroom, "0.25", Bounds::between(0, 10), "what a pool gets above what it draws before others get more than that")
      .check([](const P& p, const Place& place, config::Diagnostics& diagnostics) {
        if ((p.price_above || p.carbon_above) == p.watts_above.has_value()) return;
        diagnostics.error(place, "watts_above belongs to price_above or carbon_above",
                          "give both: carbon_above = \"400 g/kWh\", watts_above = \"8 kW\"");
      });
  return record;
}

std::unique_ptr<control::PowerController> make_budget(const BudgetParameters& parameters, const control::PowerFacts& facts, const Place& place) {
  if (!parameters.watts && !facts.usable) {
    throw UserError(place, fmt::format("policy \"budget\" of {} does not say how many watts", facts.place), "add watts = \"40 kW\"");
  }
  const Signal* price = nullptr;
  const Signal* carbon = nullptr;
  if (parameters.price_above) {
    price = &control::required_signal(facts.signals.price, "budget", "price", facts.signals.site, place);
    if (parameters.price_above->currency != facts.currency) {
      throw UserError(place, fmt::format("price_above is in {}, and the scenario counts in {}", parameters.price_above->currency, facts.currency),
                      fmt::format("write it in {}", facts.currency));
    }
  }
  if (parameters.carbon_above) carbon = &control::required_signal(facts.signals.carbon, "budget", "carbon", facts.signals.site, place);
  return std::make_unique<Budget>(parameters, facts, price, carbon);
}

}  // namespace joulecast::policy
