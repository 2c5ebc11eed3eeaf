#include "scenario/records.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

void read_policies(File& file, const Node& node, Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "expected tables [policy.NAME], read " + std::string(node.kind()), "write [policy.NAME] with use = \"...\"");
    return;
  }
  for (const auto& entry : table->entries) {
    if (entry.value->as<config::Table>() == nullptr) {
      diagnostics.error(entry.place, "expected a table, read " + std::string(entry.value->kind()), "write [policy." + entry.key + "]");
    } else {
      file.policy.emplace_back(entry.key, *entry.value);
    }
  }
}

}  // namespace

Record<File> file_record() {
  Record<File> record("scenario");
  record.required("schema", &File::schema, Bounds::between(1, 1), "version of these keys")
      .optional("name", &File::name, "the file's", Bounds::any(), "names the results' folder")
      .optional("seed", &File::seed, "1", Bounds::between(0, 9.0e15), "of every random stream")
      .table("time", &File::time, time_record(), "how long")
      .custom("currency", "table", "", "base = \"USD\", and what one of each other currency is in it: EUR = \"1.08 USD\"",
              [](File& file, const Node& node, Diagnostics& diagnostics) { file.currency = read_currency(node, diagnostics); })
      .tables("site", &File::site, site_record(), "where the hardware stands")
      .tables("feed", &File::feed, feed_record(), "what a breaker carries")
      .tables("cluster", &File::cluster, cluster_record(), "hardware that is bought: whole nodes")
      .tables("model", &File::model, model_record(), "models by a name of your own")
      .tables("engine", &File::engine, engine_record(), "the serving engine's arguments, by vLLM's names")
      .tables("pool", &File::pool, pool_record(), "replicas of one model on one kind of GPU")
      .tables("traffic", &File::traffic, traffic_record(), "requests")
      .tables("training", &File::training, training_record(), "training jobs")
      .table("router", &File::router, router_record(), "who gets a request")
      .custom("policy", "tables", "", "policies with parameters of their own: [policy.NAME] with use = \"...\"; see `joulecast policies`",
              read_policies)
      .table("compare", &File::compare, compare_record(), "arms side by side, for `joulecast compare`")
      .custom("sweep", "table", "", "many settings of one scenario, for `joulecast sweep`",
              [](File& file, const Node& node, Diagnostics& diagnostics) { file.sweep = read_sweep(node, diagnostics); })
      .table("plan", &File::plan, plan_record(), "the fleet that holds what is asked, for `joulecast plan`");
  return record;
}

}  // namespace joulecast::scenario
