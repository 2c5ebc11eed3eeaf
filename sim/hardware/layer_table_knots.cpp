#include <algorithm>

#include "hardware/layer_table.hpp"
#include "hardware/operation_table_reading.hpp"

namespace joulecast::hardware {

namespace {

UnevenContexts::Rows read_uneven_rows(const config::Node& node, const std::string& name, config::Diagnostics& diagnostics) {
  KnotsReader reader(node, name, diagnostics);
  const std::vector<double> sequences = reader.numbers("sequences");
  const std::vector<std::vector<double>> shares = reader.lists("share"), alphas = reader.lists("alpha");
  reader.finish();
  UnevenContexts::Rows rows;
  bool whole = shares.size() == sequences.size() && alphas.size() == sequences.size();
  for (std::size_t i = 0; whole && i < sequences.size(); ++i) {
    whole = !shares[i].empty() && shares[i].size() == alphas[i].size() && std::is_sorted(shares[i].begin(), shares[i].end());
    if (!whole) break;
    UnevenContexts::Row& row = rows[sequences[i]];
    for (std::size_t j = 0; j < shares[i].size(); ++j) row.emplace_back(shares[i][j], alphas[i][j]);
  }
  if (!whole)
    diagnostics.error(node.place(), name + ": sequences, share and alpha do not belong together",
                      "give each number of sequences as many rising shares as alphas");
  return rows;
}

}  // namespace

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
  const auto* whole = root.as<config::Table>();
  const bool experts = whole != nullptr && whole->find("experts") != nullptr;
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
      const bool may_lack = layer == Layer::qk_norm || (experts && is_feed_forward(layer));
      if (may_lack && (entries == nullptr || entries->find(wanted) == nullptr)) continue;
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
  UnevenContexts::Rows alone, beside_chunk;
  for (const auto& [name, node] : file.tables("uneven")) {
    if (name != "uneven.alone" && name != "uneven.beside_chunk") {
      diagnostics.error(node->place(), name + " is not known", "write [uneven.alone] and [uneven.beside_chunk]");
      continue;
    }
    (name == "uneven.alone" ? alone : beside_chunk) = read_uneven_rows(*node, name, diagnostics);
  }
  LayerTable::Extras extras{std::nullopt, UnevenContexts(std::move(alone), std::move(beside_chunk))};
  if (experts) {
    KnotsReader reader(*file.table("experts"), "experts", diagnostics);
    extras.experts = reader.surface("tokens", "active", "us", Curve::Scale::linear);
    reader.finish();
  }
  file.finish();
  diagnostics.throw_if_failed();
  return LayerTable(std::move(about), std::move(layers), std::move(attention), std::move(extras));
}

}  // namespace joulecast::hardware
