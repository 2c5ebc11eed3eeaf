#include <cmath>

#include "cli/inspect_power.hpp"

namespace joulecast::cli {
namespace {

using calibration::GpuFacts;
using Json = nlohmann::ordered_json;

/// Sets a key where the value is known.
void put(Json& to, const char* key, double value) {
  if (std::isfinite(value)) to[key] = value;
}
void put(Json& to, const char* key, const std::string& value) {
  if (!value.empty()) to[key] = value;
}

Json gpu_json(const GpuFacts& gpu) {
  Json out = {{"gpu", gpu.label}};
  put(out, "uuid", gpu.uuid);
  put(out, "model", gpu.model);
  out["samples"] = gpu.samples;
  put(out, "span_s", gpu.span_seconds);
  put(out, "sampling_period_s", gpu.sampling_period_seconds);
  out["gaps"] = gpu.gaps;
  put(out, "longest_gap_s", gpu.longest_gap_seconds);
  out["power"] = Json::array();
  for (const auto& channel : gpu.channels) {
    Json each = {{"kind", std::string(traces::name(channel.kind))}, {"column", channel.column}, {"chosen", channel.chosen}};
    put(each, "mean_w", channel.mean_watts);
    put(each, "least_w", channel.least_watts);
    put(each, "most_w", channel.most_watts);
    put(each, "energy_j", channel.joules);
    put(each, "energy_trapezoid_j", channel.trapezoid_joules);
    each["missing"] = channel.missing;
    each["changes"] = channel.changes;
    put(each, "update_period_s", channel.update_period_seconds);
    out["power"].push_back(std::move(each));
  }
  if (gpu.counter) {
    Json counter = {{"counter_j", gpu.counter->counter_joules}, {"seconds", gpu.counter->seconds}};
    put(counter, "power_j", gpu.counter->power_joules);
    put(counter, "difference", gpu.counter->difference());
    counter["disagree"] = gpu.counter->disagree();
    out["energy_counter"] = std::move(counter);
  }
  if (!gpu.sm_clocks_hertz.empty()) out["sm_clocks_hz"] = gpu.sm_clocks_hertz;
  if (gpu.most_limit_watts > 0) out["power_limit_w"] = {gpu.least_limit_watts, gpu.most_limit_watts};
  put(out, "mean_utilization", gpu.mean_utilization);
  put(out, "power_capped_share", gpu.capped_share);
  return out;
}

}  // namespace

Json source_json(const traces::LogSource& source) {
  Json dropped = Json::object();
  for (const auto& [reason, count] : source.dropped) dropped[reason] = count;
  Json out = {{"file", source.file}};
  put(out, "sha256", source.sha256);
  out["format"] = source.format;
  put(out, "timezone", source.timezone);
  put(out, "driver", source.driver);
  put(out, "host", source.host);
  out["rows"] = source.rows;
  out["dropped"] = std::move(dropped);
  return out;
}

Json power_json(const traces::PowerLog& log, const calibration::LogFacts& facts) {
  Json out = {{"schema", 1}, {"kind", "power"}, {"source", source_json(log.source)}, {"time_base", std::string(traces::name(log.time_base))}};
  if (log.time_base == traces::TimeBase::utc && !log.gpus.empty()) out["begin_unix_s"] = static_cast<double>(log.begin_ns()) / 1e9;
  out["span_s"] = facts.span_seconds;
  out["held"] = log.held;
  out["gpus"] = Json::array();
  for (const GpuFacts& gpu : facts.gpus) out["gpus"].push_back(gpu_json(gpu));
  out["absent"] = Json::array();
  for (const auto& gpu : log.absent) out["absent"].push_back({{"gpu", gpu.label}, {"reason", gpu.reason}});
  out["phases"] = Json::array();
  for (const auto& mark : facts.marks) {
    Json each = {{"name", mark.name}, {"seconds", mark.seconds}};
    put(each, "mean_w", mark.mean_watts);
    out["phases"].push_back(std::move(each));
  }
  out["windows"] = Json::array();
  for (const auto& window : log.windows) {
    Json each = {{"name", window.name}};
    if (window.start_ns) each["start_s"] = static_cast<double>(*window.start_ns) / 1e9;
    each["seconds"] = window.seconds;
    each["energy_j"] = Json::object();
    for (std::size_t g = 0; g < window.joules.size(); ++g) put(each["energy_j"], log.window_gpus[g].c_str(), window.joules[g]);
    out["windows"].push_back(std::move(each));
  }
  out["learnable"] = Json::array();
  for (const auto& each : facts.learnable) out["learnable"].push_back({{"what", each.what}, {"can", each.can}, {"reason", each.reason}});
  out["notes"] = log.notes;
  std::vector<std::string> warnings = log.warnings;
  warnings.insert(warnings.end(), facts.warnings.begin(), facts.warnings.end());
  out["warnings"] = std::move(warnings);
  return out;
}

}  // namespace joulecast::cli
