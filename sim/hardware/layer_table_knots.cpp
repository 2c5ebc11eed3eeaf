#include "hardware/layer_table.hpp"
#include "hardware/operation_table_reading.hpp"

namespace joulecast::hardware {

LayerTable read_layer_knots(const config::Node& root) {
  config::Diagnostics diagnostics;
  KnotsReader file(root, "the file", diagnostics);
  LayerTable::About about;
  if (const config::Node* node = file.table("table")) {
    KnotsReader table(*node, "table", diagnostics);
    about.gpu = table.text("gpu");
    about.model = table.text("model");
    about.source = table.text("source");
    about.tensor_parallel = table.count("tensor_parallel_size");
    about.step_gap = 1e-6 * table.number("step_gap_us");
    about.median_error = table.number("median_error");
    about.worst_error = table.number("worst_error");
    table.finish({"licence", "bound", "measured_points", "dropped_points"});
  }
  std::array<std::optional<Curve>, kLayers> layers;
  const auto read_layers = [&](const std::string& key, bool sequences) {
    const config::Node* node = file.table(key);
    if (node == nullptr) return;
    KnotsReader group(*node, key, diagnostics);
    for (int i = 0; i < kLayers; ++i) {
      const auto layer = static_cast<Layer>(i);
      if (takes_sequences(layer) != sequences) continue;
      const std::string wanted(name(layer));
      const auto* entries = node->as<config::Table>();
      if (layer == Layer::qk_norm && (entries == nullptr || entries->find(wanted) == nullptr)) continue;
      if (const config::Node* entry = group.table(wanted)) {
        KnotsReader knots(*entry, key + "." + wanted, diagnostics);
        layers[static_cast<std::size_t>(i)] = knots.curve(sequences ? "sequences" : "tokens", "us", Curve::Scale::linear);
        knots.finish();
      }
    }
    group.finish();
  };
  read_layers("dense", false);
  read_layers("per_sequence", true);

  LayerTable::Attention attention;
  if (const config::Node* node = file.table("attention")) {
    KnotsReader group(*node, "attention", diagnostics);
    const auto read = [&](const std::string& key, const std::string& rows, Curve::Scale scale, Surface& surface) {
      const config::Node* entry = group.table(key);
      if (entry == nullptr) return;
      KnotsReader knots(*entry, "attention." + key, diagnostics);
      if (key == "mixed") attention.mixed_chunk = static_cast<double>(knots.count("chunk"));
      surface = knots.surface(rows, "context", "us", scale);
      knots.finish();
    };
    read("prefill", "chunk", Curve::Scale::logarithmic, attention.prefill);
    read("decode", "sequences", Curve::Scale::linear, attention.decode);
    read("mixed", "sequences", Curve::Scale::linear, attention.mixed);
    group.finish();
  }
  file.finish();
  diagnostics.throw_if_failed();
  return LayerTable(std::move(about), std::move(layers), std::move(attention));
}

}  // namespace joulecast::hardware
