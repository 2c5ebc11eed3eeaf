#include "scenario/tables/traffic.hpp"

#include "scenario/tables/length_prediction.hpp"
#include "scenario/tables/priority.hpp"
#include "scenario/tables/traffic_rate.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

Record<SloTable> slo_record() {
  Record<SloTable> record("slo");
  record.place(&SloTable::place)
      .optional("ttft", &SloTable::ttft, "no limit", Bounds::positive(), "time to the first token at most")
      .optional("tpot", &SloTable::tpot, "no limit", Bounds::positive(), "mean time a further token at most")
      .optional("e2e", &SloTable::e2e, "no limit", Bounds::positive(), "time to the last token at most")
      .optional("attainment", &SloTable::attainment, "\"99 %\"", Bounds::between(0, 1), "share of requests that must be within every limit")
      .optional("required", &SloTable::required, "false", Bounds::any(), "whether missing it makes the run exit with 3");
  return record;
}

void read_requests(TrafficTable& traffic, const Node& node, Diagnostics& diagnostics) {
  if (const auto* text = node.as<std::string>()) {
    traffic.requests.histogram = *text;
  } else if (node.as<config::Table>() != nullptr) {
    traffic.requests.trace = traces::trace_record().read(node, diagnostics);
  } else {
    diagnostics.error(node.place(), "expected a histogram's name or a trace, read " + std::string(node.kind()),
                      "write \"azure-2023-conv\" or { file = \"requests.csv\", format = \"azure\" }");
  }
}

}  // namespace

Record<TrafficTable> traffic_record() {
  Record<TrafficTable> record("traffic");
  record.place(&TrafficTable::place)
      .custom("requests", "string, or { file, format, .. }", "", "a length histogram (shipped name or path), or a trace to replay", read_requests)
      .table("arrivals", &TrafficTable::arrivals, traces::arrivals_record(), "when generated requests arrive")
      .custom("lengths", "string, { NAME = share, .. }, or { file, format, .. }", "",
              "with `arrivals`: what tokens in and out are drawn from: a length histogram, a mix of several, or the rows of a trace", read_lengths)
      .optional("request_rate", &TrafficTable::request_rate, "", Bounds::between(1e-6, 1e8),
                "mean arrivals of a Poisson process: \"5.5 /s\"; ignored, with a note, where a trace has arrivals of its own")
      .optional("num_requests", &TrafficTable::num_requests, "no limit", Bounds::between(1, 4e9), "generated requests at most")
      .optional("models", &TrafficTable::models, "the pools' one model", Bounds::any(), "models that may answer")
      .custom("length_prediction", "\"oracle\" | \"mean\" | { relative_error }", "", "what policies are told of a request's output length",
              [](TrafficTable& traffic, const Node& node, Diagnostics& diagnostics) {
                traffic.length_prediction = read_length_prediction(node, diagnostics);
              })
      .table("slo", &TrafficTable::slo, slo_record(), "limits on latency")
      .table("rate", &TrafficTable::rate, rate_record(), "scaling of a trace's arrivals, or the daily shape of generated ones")
      .table("resample", &TrafficTable::resample, traces::resample_record(),
             "of a trace: another one like it, put together from blocks of it by the seed")
      .optional("prefix_hit_rate", &TrafficTable::prefix_hit_rate, "0", Bounds::between(0, 1),
                "share of prompt tokens taken as found in a prefix cache; ignored, with a note, where a trace says which prompts share what")
      .custom("priority", "\"high\" | \"low\"", "none", "which traffic power policies slow down last, or first", read_priority<TrafficTable>);
  return record;
}

}  // namespace joulecast::scenario
