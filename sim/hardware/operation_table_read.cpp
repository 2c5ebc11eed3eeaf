#include "hardware/operation_table_reading.hpp"

namespace joulecast::hardware {

OperationTables OperationTables::read(const config::Node& root) {
  config::Diagnostics diagnostics;
  OperationTables tables;
  KnotsReader file(root, "the file", diagnostics);
  if (const config::Node* node = file.table("table")) {
    KnotsReader about(*node, "table", diagnostics);
    tables.source_ = about.text("source");
    tables.median_error_ = about.number("median_error");
    tables.worst_error_ = about.number("worst_error");
    about.finish({"gpu", "licence", "bound", "measured_points", "dropped_points", "spikes_left_out", "between_sequences_median_error"});
  }
  for (const auto& [name, node] : file.tables("generation_attention")) {
    KnotsReader table(*node, name, diagnostics);
    const std::int64_t heads = table.count("heads"), kv_heads = table.count("kv_heads");
    tables.generation_.push_back({heads, kv_heads, table.surface("sequences", "context", "us")});
    table.finish();
  }
  for (const auto& [name, node] : file.tables("context_attention")) {
    KnotsReader table(*node, name, diagnostics);
    const std::int64_t heads = table.count("heads"), kv_heads = table.count("kv_heads");
    tables.context_.push_back({heads, kv_heads, table.curve("tokens", "us", Curve::Scale::logarithmic)});
    table.finish();
  }
  for (const auto& [name, node] : file.tables("all_reduce")) {
    KnotsReader table(*node, name, diagnostics);
    const std::int64_t gpus = table.count("gpus");
    tables.all_reduce_.push_back(
        {gpus, table.curve("graph_bytes", "graph_us", Curve::Scale::logarithmic), table.curve("eager_bytes", "eager_us", Curve::Scale::logarithmic)});
    table.finish();
  }
  file.finish();
  diagnostics.throw_if_failed();
  return tables;
}

}  // namespace joulecast::hardware
