#include <cmath>
#include <map>
#include <string>

#include "base/error.hpp"
#include "traces/load/columns.hpp"
#include "traces/load/readers.hpp"
#include "traces/power/exposition.hpp"

namespace joulecast::traces {

LoadLog read_vllm_metrics(const SeriesText& text, const PowerLogOptions& options) {
  LoadLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  PowerLog scratch;
  scratch.source.file = text.name();
  const Metrics metrics = read_metrics(
      text, options, [](const std::string& name) { return load_member(name) != nullptr; }, scratch);
  log.source.dropped = scratch.source.dropped;
  log.notes = scratch.notes;
  if (metrics.samples.empty()) {
    throw UserError({text.name(), 0, 0}, "no metric of vLLM that says its load",
                    "scrape the server's /metrics: vllm:num_requests_running and its like");
  }
  std::map<std::string, EngineBuilder> engines;
  for (const MetricSample& sample : metrics.samples) {
    if (!std::isfinite(sample.value)) continue;
    const std::string server = sample.label({"instance"}), engine = sample.label({"engine"}), model = sample.label({"model_name"});
    engines[server + (server.empty() ? "" : " ") + (engine.empty() ? model : engine)].add(sample.time_ns, load_member(sample.name), sample.value);
  }
  log.time_base = metrics.base;
  if (metrics.base == TimeBase::numbered) {
    log.warnings.emplace_back("the scrapes have no times: write \"# scrape $(date +%s.%N)\" before each, or give --period");
  }
  for (auto& [label, engine] : engines) log.engines.push_back(engine.finish(engines.size() == 1 ? "" : label, log));
  return log;
}

}  // namespace joulecast::traces
