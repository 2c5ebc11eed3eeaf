#include "cli/inspect_power.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/format.hpp"
#include "report/table.hpp"
#include "traces/grid/zone.hpp"

namespace joulecast::cli {
namespace {

using calibration::GpuFacts;
using calibration::LogFacts;
using report::Ink;
using report::words;
using traces::PowerLog;
using traces::TimeBase;

std::string count(std::size_t n) { return grouped(static_cast<std::int64_t>(n)); }
std::string watts(double value) { return std::isnan(value) ? "" : fmt::format("{:.1f}", value); }
std::string milliseconds(double seconds) { return std::isnan(seconds) ? "" : fmt::format("{:.0f} ms", 1e3 * seconds); }

std::string gpus_table(const LogFacts& facts, bool timed, const Console& console) {
  report::Table table;
  table.row({words("GPU", Ink::heading),
             words("power column", Ink::heading),
             words("kind", Ink::heading),
             {"samples", Ink::heading},
             {"missing", Ink::heading},
             {"polled every", Ink::heading},
             {"changes every", Ink::heading},
             {"least W", Ink::heading},
             {"mean W", Ink::heading},
             {"most W", Ink::heading},
             {"energy", Ink::heading}});
  for (const GpuFacts& gpu : facts.gpus) {
    for (const auto& channel : gpu.channels) {
      table.row({words(gpu.label),
                 words(channel.column + (channel.chosen && gpu.channels.size() > 1 ? " (taken)" : "")),
                 words(std::string(traces::name(channel.kind))),
                 {count(gpu.samples)},
                 {count(channel.missing)},
                 {milliseconds(gpu.sampling_period_seconds)},
                 {milliseconds(channel.update_period_seconds)},
                 {watts(channel.least_watts)},
                 {watts(channel.mean_watts)},
                 {watts(channel.most_watts)},
                 {timed && gpu.span_seconds > 0 ? si(channel.joules, "J") : ""}});
    }
    if (!gpu.counter) continue;
    const double difference = gpu.counter->difference();
    table.row({words(gpu.label),
               words("energy counter"),
               words(""),
               {count(gpu.samples)},
               {},
               {},
               {},
               {},
               {watts(gpu.counter->counter_joules / gpu.counter->seconds)},
               {},
               {si(gpu.counter->counter_joules, "J")}});
    if (!std::isnan(difference)) {
      table.remark(fmt::format("  counter against integrated power over {}: {} against {}, {:+.1f} %", duration_text(gpu.counter->seconds),
                               si(gpu.counter->counter_joules, "J"), si(gpu.counter->power_joules, "J"), 100 * difference));
    }
  }
  return table.text(console.style());
}

std::string beside_power(const GpuFacts& gpu) {
  std::string text;
  if (!gpu.model.empty()) text += gpu.model;
  if (!gpu.uuid.empty() && gpu.uuid != gpu.label) text += fmt::format("{}{}", text.empty() ? "" : ", ", gpu.uuid);
  const auto add = [&](const std::string& more) { text += fmt::format("{}{}", text.empty() ? "" : "; ", more); };
  if (gpu.most_limit_watts > 0) {
    add(gpu.least_limit_watts == gpu.most_limit_watts ? fmt::format("limit {:.0f} W", gpu.most_limit_watts)
                                                      : fmt::format("limits {:.0f} to {:.0f} W", gpu.least_limit_watts, gpu.most_limit_watts));
  }
  if (!gpu.sm_clocks_hertz.empty()) {
    const double low = gpu.sm_clocks_hertz.front() / 1e6, high = gpu.sm_clocks_hertz.back() / 1e6;
    add(gpu.sm_clocks_hertz.size() == 1 ? fmt::format("SM clock {:.0f} MHz", high)
                                        : fmt::format("{} SM clocks, {:.0f} to {:.0f} MHz", gpu.sm_clocks_hertz.size(), low, high));
  }
  if (!std::isnan(gpu.mean_utilization)) add(fmt::format("mean utilisation {:.0f} %", 100 * gpu.mean_utilization));
  if (gpu.capped_share > 0) add(fmt::format("the power cap held the clock in {:.0f} % of samples", 100 * gpu.capped_share));
  return text;
}

std::string windows_table(const PowerLog& log, const Console& console) {
  constexpr std::size_t kShown = 12;
  report::Table table;
  std::vector<report::Cell> heading = {words("window", Ink::heading), {"length", Ink::heading}};
  for (const std::string& gpu : log.window_gpus) heading.push_back({gpu.size() < 4 ? "GPU " + gpu : gpu, Ink::heading});
  heading.push_back({log.window_gpus.size() > 1 ? "mean W, all" : "mean W", Ink::heading});
  table.row(std::move(heading));
  for (std::size_t i = 0; i < log.windows.size() && i < kShown; ++i) {
    const auto& window = log.windows[i];
    std::vector<report::Cell> cells = {words(window.name), {duration_text(window.seconds)}};
    double sum = 0;
    for (const double joules : window.joules) {
      cells.push_back({std::isnan(joules) ? "" : si(joules, "J")});
      sum += joules;
    }
    cells.push_back({watts(sum / window.seconds)});
    table.row(std::move(cells));
  }
  if (log.windows.size() > kShown) table.remark(fmt::format("and {} more", log.windows.size() - kShown));
  return table.text(console.style());
}

}  // namespace

std::string source_text(const traces::LogSource& source) {
  std::string text = fmt::format("{}: {}, {} row{}", source.file, source.format, count(source.rows), source.rows == 1 ? "" : "s");
  for (const auto& [reason, dropped] : source.dropped) text += fmt::format(", {} left out ({})", count(dropped), reason);
  if (!source.host.empty()) text += fmt::format("; host {}", source.host);
  if (!source.driver.empty()) text += fmt::format("; driver {}", source.driver);
  return text + "\n";
}

std::string span_text(TimeBase base, std::int64_t begin_ns, std::int64_t end_ns) {
  if (base == TimeBase::numbered) return "no times\n";
  const std::string length = duration_text(static_cast<double>(end_ns - begin_ns) * 1e-9);
  if (base == TimeBase::monotonic) return fmt::format("{} from an unknown start\n", length);
  return fmt::format("{} from {} {}\n", length, traces::local_text(begin_ns),
                     base == TimeBase::utc ? "UTC" : "by a clock of an unknown zone (--timezone says which)");
}

std::string power_text(const PowerLog& log, const LogFacts& facts, const Console& console) {
  std::string text = source_text(log.source);
  if (!log.gpus.empty())
    text += span_text(log.time_base, log.begin_ns(), log.end_ns()) + "\n" + gpus_table(facts, log.time_base != TimeBase::numbered, console);
  for (const GpuFacts& gpu : facts.gpus) {
    const std::string beside = beside_power(gpu);
    if (!beside.empty()) text += fmt::format("GPU {}: {}\n", gpu.label, beside);
  }
  if (!log.windows.empty()) text += "\n" + windows_table(log, console);
  if (!facts.marks.empty()) {
    report::Table marks;
    marks.row({words("\nphase", Ink::heading), {"length", Ink::heading}, {"mean W a GPU", Ink::heading}});
    for (const auto& mark : facts.marks) marks.row({words(mark.name), {duration_text(mark.seconds)}, {watts(mark.mean_watts)}});
    text += marks.text(console.style());
  }
  text += "\n";
  report::Table learn;
  learn.row({words("can be learnt", Ink::heading), words("", Ink::heading), words("from what, or by which measurement", Ink::heading)});
  for (const auto& each : facts.learnable) {
    learn.row({words(each.what), words(each.can ? "yes" : "no", each.can ? Ink::good : Ink::warn), words(each.reason)});
  }
  return text + learn.text(console.style());
}

}  // namespace joulecast::cli
