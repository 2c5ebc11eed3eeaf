#include "scenario/resolved.hpp"

namespace joulecast::scenario {

namespace {

TomlWriter trace(const traces::TraceOptions& options) {
  TomlWriter writer;
  writer.text("file", absolute(traces::trace_path(options))).text("format", options.format);
  if (options.columns) {
    TomlWriter columns;
    columns.text("arrival", options.columns->arrival).text("input", options.columns->input).text("output", options.columns->output);
    writer.table("columns", std::move(columns));
  }
  if (!options.time_unit.empty()) writer.text("time_unit", options.time_unit);
  writer.flag("rebase", options.rebase)
      .flag("repeat", options.repeat)
      .text("zero_tokens", options.zero_tokens)
      .text("torn_last_row", options.torn_last_row);
  if (options.limit) writer.number("limit", *options.limit);
  if (options.offset.si() != 0) writer.quantity("offset", options.offset.si(), "s");
  return writer;
}

}  // namespace

TomlWriter resolved_traffic(const Traffic& traffic) {
  TomlWriter writer;
  if (traffic.trace) {
    writer.table("requests", trace(*traffic.trace));
  } else {
    writer.text("lengths", absolute(traffic.histogram_path));
    TomlWriter arrivals;
    using Process = traces::Arrivals::Process;
    const Process process = traffic.arrivals.process;
    arrivals.text("process", process == Process::constant ? "constant"
                             : process == Process::gamma  ? "gamma"
                                                          : "poisson")
        .quantity("request_rate", traffic.arrivals.request_rate.si(), "/s")
        .real("burstiness", traffic.arrivals.burstiness);
    writer.table("arrivals", std::move(arrivals));
  }
  if (traffic.num_requests) writer.number("num_requests", static_cast<std::int64_t>(*traffic.num_requests));
  config::Node::Array models;
  for (const auto& model : traffic.models) models.emplace_back(config::Node::Value(model), Place{});
  writer.put("models", config::Node::Value(std::move(models)));
  if (!traffic.length_prediction.empty()) writer.text("length_prediction", traffic.length_prediction);
  if (traffic.slo) {
    TomlWriter slo;
    if (traffic.slo->ttft) slo.quantity("ttft", traffic.slo->ttft->si(), "s");
    if (traffic.slo->tpot) slo.quantity("tpot", traffic.slo->tpot->si(), "s");
    if (traffic.slo->e2e) slo.quantity("e2e", traffic.slo->e2e->si(), "s");
    slo.real("attainment", traffic.slo->attainment.value).flag("required", traffic.slo->required);
    writer.table("slo", std::move(slo));
  }
  return writer;
}

}  // namespace joulecast::scenario
