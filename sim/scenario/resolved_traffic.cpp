#include "scenario/resolved.hpp"
#include "scenario/tables/length_prediction.hpp"

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

const char* process_name(traces::Arrivals::Process process) {
  switch (process) {
    case traces::Arrivals::Process::poisson:
      return "poisson";
    case traces::Arrivals::Process::gamma:
      return "gamma";
    case traces::Arrivals::Process::constant:
      return "constant";
    case traces::Arrivals::Process::closed:
      return "closed";
  }
  return "";
}

TomlWriter arrivals(const traces::Arrivals& arrivals) {
  TomlWriter writer;
  writer.text("process", process_name(arrivals.process));
  if (arrivals.process == traces::Arrivals::Process::closed) {
    writer.number("max_concurrency", arrivals.max_concurrency).quantity("think_time", arrivals.think_time.si(), "s");
  } else {
    writer.quantity("request_rate", arrivals.request_rate.si(), "/s").real("burstiness", arrivals.burstiness);
  }
  return writer;
}

void lengths(TomlWriter& writer, const Traffic& traffic) {
  if (traffic.lengths.size() > 1) {
    TomlWriter mix;
    for (const LengthsPart& part : traffic.lengths) mix.real(absolute(part.path), part.share);
    writer.table("lengths", std::move(mix));
  } else if (traffic.lengths.front().trace) {
    writer.table("lengths", trace(*traffic.lengths.front().trace));
  } else {
    writer.text("lengths", absolute(traffic.lengths.front().path));
  }
}

TomlWriter rate(const traces::RateScale& rate) {
  using By = traces::RateScale::By;
  TomlWriter writer;
  writer.real("scale", rate.scale).text("by", rate.by == By::superpose ? "superpose" : rate.by == By::compress ? "compress" : "thin");
  return writer;
}

TomlWriter daily(const traces::DailyShape& shape) {
  config::Node::Array factors;
  for (const double factor : shape.factors) factors.emplace_back(config::Node::Value(factor), Place{});
  TomlWriter writer;
  writer.put("daily", config::Node::Value(std::move(factors)));
  return writer;
}

}  // namespace

TomlWriter resolved_traffic(const Traffic& traffic) {
  TomlWriter writer;
  if (traffic.trace) {
    writer.table("requests", trace(*traffic.trace));
    if (traffic.rate) writer.table("rate", rate(*traffic.rate));
    if (traffic.resample) {
      TomlWriter resample;
      resample.quantity("blocks", traffic.resample->blocks.si(), "s").quantity("within", traffic.resample->within.si(), "s");
      writer.table("resample", std::move(resample));
    }
  } else {
    lengths(writer, traffic);
    writer.table("arrivals", arrivals(traffic.arrivals));
    if (traffic.arrivals.daily) writer.table("rate", daily(*traffic.arrivals.daily));
  }
  writer.real("prefix_hit_rate", traffic.prefix_hit_rate);
  if (traffic.priority) writer.text("priority", *traffic.priority == control::Priority::high ? "high" : "low");
  if (traffic.num_requests) writer.number("num_requests", static_cast<std::int64_t>(*traffic.num_requests));
  config::Node::Array models;
  for (const auto& model : traffic.models) models.emplace_back(config::Node::Value(model), Place{});
  writer.put("models", config::Node::Value(std::move(models)));
  if (traffic.length_prediction) writer.put("length_prediction", length_prediction_value(*traffic.length_prediction));
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
