#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.hpp"
#include "hardware/layer_rows.hpp"
#include "hardware/layer_table.hpp"

namespace joulecast::hardware {

namespace {

namespace fs = std::filesystem;

using Knots = std::map<double, double>;

void insert(Knots& knots, double x, double y, const Place& place) {
  if (!knots.emplace(x, y).second) throw UserError(place, "the same point stands in an earlier row", "remove one of the two");
}

Curve curve(const Knots& knots) {
  std::vector<double> x, y;
  for (const auto& [at, value] : knots) {
    x.push_back(at);
    y.push_back(value);
  }
  return Curve(std::move(x), std::move(y), Curve::Scale::linear);
}

Surface surface(const std::map<double, Knots>& rows, const std::string& path, const std::string& what, Curve::Scale scale) {
  if (rows.empty()) throw UserError({path, 0, 0}, fmt::format("holds no {}", what), "use a complete layer profile");
  std::vector<double> at;
  std::vector<Curve> curves;
  for (const auto& [row, knots] : rows) {
    at.push_back(row);
    curves.push_back(curve(knots));
  }
  return Surface(std::move(at), std::move(curves), scale);
}

void read_layers(const std::string& path, bool sequences, bool experts, std::array<std::optional<Curve>, kLayers>& layers) {
  std::array<Knots, kLayers> knots;
  LayerRows rows(path, {"layer", sequences ? "sequences" : "tokens", "time_us"});
  while (rows.next()) {
    const std::string wanted = rows.text(0);
    int found = -1;
    for (int i = 0; i < kLayers; ++i) {
      if (wanted == name(static_cast<Layer>(i)) && takes_sequences(static_cast<Layer>(i)) == sequences) found = i;
    }
    if (found < 0) throw UserError(rows.place(), fmt::format("unknown layer \"{}\"", wanted), "only layers of transformers are known");
    insert(knots[static_cast<std::size_t>(found)], rows.number(1), rows.seconds(2), rows.place());
  }
  for (int i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    if (takes_sequences(layer) != sequences) continue;
    const auto& points = knots[static_cast<std::size_t>(i)];
    if (!points.empty()) {
      layers[static_cast<std::size_t>(i)] = curve(points);
    } else if (layer != Layer::qk_norm && !(experts && is_feed_forward(layer))) {
      throw UserError({path, 0, 0}, fmt::format("holds no layer {}", name(layer)), "use a complete layer profile");
    }
  }
}

/// The experts' times of the folder, or of tp1 beside it: a tensor-parallel group shares the experts in ways that follow from one GPU's times.
std::string experts_file(const std::string& folder) {
  const fs::path here = fs::path(folder) / "moe.csv", beside = fs::path(folder).parent_path() / "tp1" / "moe.csv";
  if (fs::is_regular_file(here)) return here.string();
  return fs::is_regular_file(beside) ? beside.string() : "";
}

/// Whether the profile's meta.yaml beside the folder lets its batches of uneven contexts count: `skew_profile: enabled: false` says that its makers
/// replay their runs of this card without them.
bool uneven_counts(const std::string& folder) {
  std::ifstream file(fs::path(folder).parent_path() / "meta.yaml");
  bool within = false;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != ' ') within = line.starts_with("skew_profile:");
    if (within && line.starts_with("  enabled:")) return line.find("false") == std::string::npos;
  }
  return true;
}

Surface read_experts(const std::string& path) {
  std::map<double, Knots> rows_of;
  LayerRows rows(path, {"tokens", "activated_experts", "time_us"});
  while (rows.next()) {
    const double tokens = rows.number(0), active = rows.number(1);
    if (!(tokens > 0 && active > 0)) throw UserError(rows.place(), "tokens or experts of 0", "correct or remove the row");
    insert(rows_of[tokens], active, rows.seconds(2), rows.place());
  }
  return surface(rows_of, path, "experts", Curve::Scale::linear);
}

}  // namespace

LayerTable read_layer_folder(const std::string& folder) {
  std::array<std::optional<Curve>, kLayers> layers;
  LayerTable::Extras extras;
  if (const std::string experts = experts_file(folder); !experts.empty()) extras.experts = read_experts(experts);
  read_layers(folder + "/dense.csv", false, extras.experts.has_value(), layers);
  read_layers(folder + "/per_sequence.csv", true, false, layers);
  if (const std::string skew = folder + "/skew.csv"; fs::is_regular_file(skew) && uneven_counts(folder)) extras.uneven = read_uneven_contexts(skew);

  const std::string path = folder + "/attention.csv";
  std::map<double, Knots> prefill, decode, mixed;
  constexpr double kMixedChunk = 16;
  LayerRows rows(path, {"prefill_chunk", "kv_prefill", "n_decode", "kv_decode", "time_us"});
  while (rows.next()) {
    const double chunk = rows.number(0), context = rows.number(1), sequences = rows.number(2), mean = rows.number(3);
    const double time = rows.seconds(4);
    if (chunk > 0 && sequences == 0) insert(prefill[chunk], context, time, rows.place());
    if (chunk == 0 && sequences > 0) insert(decode[sequences], mean, time, rows.place());
    if (chunk == kMixedChunk && context == 0 && sequences > 0) insert(mixed[sequences], mean, time, rows.place());
  }
  LayerTable::Attention attention{surface(prefill, path, "steps with a chunk alone", Curve::Scale::logarithmic),
                                  surface(decode, path, "steps of decoding sequences alone", Curve::Scale::linear),
                                  surface(mixed, path, "decoding sequences beside a chunk of 16 tokens", Curve::Scale::linear), kMixedChunk};
  LayerTable::About about;
  about.source = folder;
  return LayerTable(std::move(about), std::move(layers), std::move(attention), std::move(extras));
}

}  // namespace joulecast::hardware
