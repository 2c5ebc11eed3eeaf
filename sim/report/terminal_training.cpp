#include "report/terminal_training.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "report/numbers.hpp"
#include "report/totals.hpp"

namespace joulecast::report {

namespace {

using scenario::TrainingResult;
using training::Spent;

Cell heading(std::string text) { return {std::move(text), Ink::heading, true}; }

std::string shares(const scenario::BySpent& values) {
  double total = 0;
  for (const double each : values) total += each;
  std::string text;
  for (std::size_t i = 0; i < training::kSpent; ++i) {
    if (values[i] <= 0) continue;
    const auto spent = static_cast<Spent>(i);
    const std::string what = spent == Spent::straggler_wait ? "straggler wait" : std::string(training::name(spent));
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, percent(values[i] / total));
  }
  return text;
}

std::string sizes(const TrainingResult& job) {
  const training::Layout& layout = job.layout;
  std::string text = fmt::format("TP{} x PP{} x DP{}", layout.tensor, layout.pipeline, layout.data);
  if (layout.context > 1) text += fmt::format(" x CP{}", layout.context);
  if (layout.expert > 1) text += fmt::format(", EP{}", layout.expert);
  if (layout.virtual_chunks > 1) text += fmt::format(", {} chunks", layout.virtual_chunks);
  return text + fmt::format(", {}", job.schedule);
}

std::string last_part(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// A saving or a slowdown with its sign, in per cent; nothing has none.
std::string change(double share) { return std::abs(share) < 5e-5 ? "0.00 %" : fmt::format("{:+.2f} %", 100 * share); }

void add_plan(Table& table, const scenario::ClockPlanFigures& plan) {
  using scenario::ClockPlanFigures;
  const auto of = [&](const scenario::IterationFigures& figures) {
    return fmt::format("energy {}, time {}", change(-ClockPlanFigures::saving(figures, plan.baseline)),
                       change(ClockPlanFigures::slowdown(figures, plan.baseline)));
  };
  table.remark(fmt::format("    {} against highest clocks: {} as published; {} with clock changes charged", plan.policy, of(plan.as_published),
                           of(plan.charged)));
  if (plan.bound_joules) {
    table.remark(fmt::format("    no plan as fast can save more than {:.2f} %; {:.2f} points of that are left",
                             100 * (1 - *plan.bound_joules / plan.baseline.joules), 100 * *plan.gap()));
  }
}

}  // namespace

std::string training_rows(const scenario::Result& result, int digits, const Style& style) {
  if (result.jobs.empty()) return {};
  constexpr auto facility = static_cast<std::size_t>(metering::Boundary::facility);
  const Unit unit = unit_for(watt_hours(), result.energy.joules[facility]);
  Table table;
  table.row({words("Training", Ink::heading), heading("GPUs"), heading(fmt::format("{} facility", unit.name)), heading("iterations"),
             heading("iteration"), heading("GPU kJ each"), heading("tokens/s"), heading("MFU"), words("clock", Ink::heading),
             words("watts from", Ink::heading)});
  for (const TrainingResult& job : result.jobs) {
    const auto* account = account_of(result, job.name);
    const std::string none(kUnknown);
    const bool ran = job.iterations > 0;
    table.row({words("  " + job.name),
               {with_separators(static_cast<std::uint64_t>(job.gpus))},
               {account == nullptr ? none : significant(account->joules[facility] / unit.size, digits)},
               {fmt::format("{} of {}", job.iterations, job.train_iters)},
               {ran ? scaled(seconds(), job.iteration_s) : none},
               {ran ? significant(job.iteration_joules / 1e3, digits) : none},
               {ran ? three_digits(job.tokens_per_s) : none},
               {ran && job.mfu ? percent(*job.mfu) : none},
               words(job.clock),
               words(job.watts_source)});
    table.remark(fmt::format("    {}{} on {}, {}", job.model.empty() ? "" : last_part(job.model) + ", ", sizes(job), job.gpu, job.node));
    if (!ran) continue;
    table.remark("    time: " + shares(job.time_by_kind_s));
    table.remark("    energy: " + shares(job.energy_by_kind_joules));
    if (job.clock_plan) add_plan(table, *job.clock_plan);
  }
  return table.text(style);
}

}  // namespace joulecast::report
