#include "cli/inspect_others.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/format.hpp"
#include "cli/inspect_power.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using report::Ink;
using report::words;
using traces::ChassisSeries;
using traces::EngineLoad;
using Json = nlohmann::ordered_json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Least, mean and most of the values that are there; NaN without any. The mean is over time, each value held until the next.
struct Spread {
  double least = kNaN, mean = kNaN, most = kNaN, integral = 0;
};
Spread spread(const std::vector<std::int64_t>& time_ns, const std::vector<double>& values) {
  Spread all;
  double seconds = 0, last = kNaN;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && !std::isnan(last)) {
      const double dt = static_cast<double>(time_ns[i] - time_ns[i - 1]) * 1e-9;
      all.integral += last * dt;
      seconds += dt;
    }
    if (std::isnan(values[i])) continue;
    last = values[i];
    all.least = std::isnan(all.least) ? last : std::min(all.least, last);
    all.most = std::isnan(all.most) ? last : std::max(all.most, last);
  }
  all.mean = seconds > 0 ? all.integral / seconds : last;
  return all;
}

/// What a counter rose by; restarts are left out.
double risen(const std::vector<double>& counter) {
  double sum = 0, last = kNaN;
  for (const double value : counter) {
    if (std::isnan(value)) continue;
    if (value > last) sum += value - last;
    last = value;
  }
  return counter.empty() ? kNaN : sum;
}

double period(const std::vector<std::int64_t>& time_ns) {
  if (time_ns.size() < 2) return kNaN;
  return static_cast<double>(time_ns.back() - time_ns.front()) * 1e-9 / static_cast<double>(time_ns.size() - 1);
}

void put(Json& to, const char* key, double value) {
  if (std::isfinite(value)) to[key] = value;
}

Json head(const char* kind, const traces::LogSource& source, traces::TimeBase base) {
  return {{"schema", 1}, {"kind", kind}, {"source", source_json(source)}, {"time_base", std::string(traces::name(base))}};
}

std::string cell(double value, const char* format) { return std::isnan(value) ? "" : fmt::format(fmt::runtime(format), value); }

template <class Series>
std::pair<std::int64_t, std::int64_t> span_of(const std::vector<Series>& all) {
  std::int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const Series& each : all) {
    if (each.samples() == 0) continue;
    begin = std::min(begin, each.time_ns.front());
    end = std::max(end, each.time_ns.back());
  }
  return begin > end ? std::pair<std::int64_t, std::int64_t>{0, 0} : std::pair{begin, end};
}

}  // namespace

Json load_json(const traces::LoadLog& log) {
  Json out = head("load", log.source, log.time_base);
  const auto [begin, end] = span_of(log.engines);
  if (log.time_base == traces::TimeBase::utc) out["begin_unix_s"] = static_cast<double>(begin) / 1e9;
  out["span_s"] = static_cast<double>(end - begin) * 1e-9;
  out["engines"] = Json::array();
  for (const EngineLoad& engine : log.engines) {
    Json each = {{"engine", engine.label}, {"samples", engine.samples()}};
    put(each, "sampling_period_s", period(engine.time_ns));
    const Spread running = spread(engine.time_ns, engine.running), waiting = spread(engine.time_ns, engine.waiting),
                 kv = spread(engine.time_ns, engine.kv_usage);
    put(each, "mean_running", running.mean);
    put(each, "most_running", running.most);
    put(each, "mean_waiting", waiting.mean);
    put(each, "most_kv_usage", kv.most);
    put(each, "prompt_tokens", risen(engine.prompt_tokens));
    put(each, "generation_tokens", risen(engine.generation_tokens));
    put(each, "steps", risen(engine.steps));
    put(each, "preemptions", risen(engine.preemptions));
    put(each, "mean_generation_tokens_per_s", spread(engine.time_ns, engine.generation_rate).mean);
    out["engines"].push_back(std::move(each));
  }
  out["notes"] = log.notes;
  out["warnings"] = log.warnings;
  return out;
}

std::string load_text(const traces::LoadLog& log, const Console& console) {
  const auto [begin, end] = span_of(log.engines);
  std::string text = "a log of load: " + source_text(log.source) + span_text(log.time_base, begin, end) + "\n";
  report::Table table;
  table.row({words("engine", Ink::heading),
             {"samples", Ink::heading},
             {"every", Ink::heading},
             {"mean running", Ink::heading},
             {"most", Ink::heading},
             {"mean waiting", Ink::heading},
             {"most KV", Ink::heading},
             {"prompt tokens", Ink::heading},
             {"generated", Ink::heading},
             {"steps", Ink::heading}});
  for (const EngineLoad& engine : log.engines) {
    const Spread running = spread(engine.time_ns, engine.running);
    const double every = period(engine.time_ns), kv = 100 * spread(engine.time_ns, engine.kv_usage).most;
    table.row({words(engine.label.empty() ? "the engine" : engine.label),
               {grouped(static_cast<std::int64_t>(engine.samples()))},
               {std::isnan(every) ? "" : duration_text(every)},
               {cell(running.mean, "{:.1f}")},
               {cell(running.most, "{:.0f}")},
               {cell(spread(engine.time_ns, engine.waiting).mean, "{:.1f}")},
               {cell(kv, "{:.1f} %")},
               {cell(risen(engine.prompt_tokens), "{:.0f}")},
               {cell(risen(engine.generation_tokens), "{:.0f}")},
               {cell(risen(engine.steps), "{:.0f}")}});
  }
  text += table.text(console.style());
  return text + "\nA load log alone gives no watts: lay it beside a power log with --load.\n";
}

Json chassis_json(const traces::ChassisLog& log) {
  Json out = head("chassis", log.source, log.time_base);
  const auto [begin, end] = span_of(log.series);
  if (log.time_base == traces::TimeBase::utc) out["begin_unix_s"] = static_cast<double>(begin) / 1e9;
  out["span_s"] = static_cast<double>(end - begin) * 1e-9;
  out["sensors"] = Json::array();
  for (const ChassisSeries& series : log.series) {
    const Spread watts = spread(series.time_ns, series.watts);
    Json each = {{"sensor", series.label}, {"samples", series.samples()}};
    put(each, "sampling_period_s", period(series.time_ns));
    put(each, "least_w", watts.least);
    put(each, "mean_w", watts.mean);
    put(each, "most_w", watts.most);
    if (log.time_base != traces::TimeBase::numbered) put(each, "energy_j", watts.integral);
    out["sensors"].push_back(std::move(each));
  }
  out["marks"] = Json::array();
  for (const auto& mark : log.marks) out["marks"].push_back({{"time_s", static_cast<double>(mark.time_ns) / 1e9}, {"name", mark.name}});
  out["notes"] = log.notes;
  out["warnings"] = log.warnings;
  return out;
}

std::string chassis_text(const traces::ChassisLog& log, const Console& console) {
  const auto [begin, end] = span_of(log.series);
  std::string text = "a log of a chassis: " + source_text(log.source) + span_text(log.time_base, begin, end) + "\n";
  report::Table table;
  table.row({words("sensor", Ink::heading),
             {"samples", Ink::heading},
             {"every", Ink::heading},
             {"least W", Ink::heading},
             {"mean W", Ink::heading},
             {"most W", Ink::heading},
             {"energy", Ink::heading}});
  for (const ChassisSeries& series : log.series) {
    const Spread watts = spread(series.time_ns, series.watts);
    const double every = period(series.time_ns);
    table.row({words(series.label.empty() ? "the meter" : series.label),
               {grouped(static_cast<std::int64_t>(series.samples()))},
               {std::isnan(every) ? "" : duration_text(every)},
               {cell(watts.least, "{:.1f}")},
               {cell(watts.mean, "{:.1f}")},
               {cell(watts.most, "{:.1f}")},
               {log.time_base == traces::TimeBase::numbered ? "" : si(watts.integral, "J")}});
  }
  text += table.text(console.style());
  return text + "\nBeside a GPU log (--chassis) it gives the watts of host, fans and power supplies.\n";
}

}  // namespace joulecast::cli
