#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "hardware/layer_table.hpp"
#include "traces/delimited.hpp"

namespace joulecast::hardware {

namespace {

/// Rows of one file of a profile.
class Rows {
 public:
  Rows(const std::string& path, const std::vector<std::string>& columns) : path_(path), table_(open(path), wanted(columns)) {}

  bool next() {
    if (table_.next()) {
      any_ = true;
      return true;
    }
    if (table_.torn()) throw UserError({path_, 0, 0}, "the last row was cut off", "use a complete layer profile");
    if (!any_) throw UserError({path_, 0, 0}, "holds no rows", "use a complete layer profile");
    return false;
  }
  std::string text(std::size_t column) const { return std::string(table_.cell(column)); }
  Place place() const { return table_.place(0); }
  /// A number of at least 0.
  double number(std::size_t column) const {
    const std::string_view word = table_.cell(column);
    double value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault == std::errc{} && end == word.data() + word.size() && value >= 0 && value < 1e15) return value;
    throw UserError(table_.place(column), fmt::format("\"{}\" is not a number of at least 0", word), "correct or remove the row");
  }
  /// Positive microseconds as seconds.
  double seconds(std::size_t column) const {
    const double us = number(column);
    if (us > 0) return us * 1e-6;
    throw UserError(table_.place(column), "a time of 0 us", "correct or remove the row");
  }

 private:
  static traces::TextLines open(const std::string& path) {
    if (!std::filesystem::is_regular_file(path)) {
      throw UserError({path, 0, 0}, "there is no such file", "name a folder that holds dense.csv, per_sequence.csv and attention.csv");
    }
    return traces::TextLines(path);
  }
  static std::vector<traces::Column> wanted(const std::vector<std::string>& columns) {
    std::vector<traces::Column> result;
    for (const auto& column : columns) result.push_back({{column}});
    return result;
  }

  std::string path_;
  traces::Delimited table_;
  bool any_ = false;
};

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

void read_layers(const std::string& path, bool sequences, std::array<std::optional<Curve>, kLayers>& layers) {
  std::array<Knots, kLayers> knots;
  Rows rows(path, {"layer", sequences ? "sequences" : "tokens", "time_us"});
  while (rows.next()) {
    const std::string wanted = rows.text(0);
    int found = -1;
    for (int i = 0; i < kLayers; ++i) {
      if (wanted == name(static_cast<Layer>(i)) && takes_sequences(static_cast<Layer>(i)) == sequences) found = i;
    }
    if (found < 0) throw UserError(rows.place(), fmt::format("unknown layer \"{}\"", wanted), "only layers of dense transformers are known");
    insert(knots[static_cast<std::size_t>(found)], rows.number(1), rows.seconds(2), rows.place());
  }
  for (int i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    if (takes_sequences(layer) != sequences) continue;
    const auto& points = knots[static_cast<std::size_t>(i)];
    if (!points.empty()) {
      layers[static_cast<std::size_t>(i)] = curve(points);
    } else if (layer != Layer::qk_norm) {
      throw UserError({path, 0, 0}, fmt::format("holds no layer {}", name(layer)), "use a complete layer profile");
    }
  }
}

}  // namespace

LayerTable read_layer_folder(const std::string& folder) {
  std::array<std::optional<Curve>, kLayers> layers;
  read_layers(folder + "/dense.csv", false, layers);
  read_layers(folder + "/per_sequence.csv", true, layers);

  const std::string path = folder + "/attention.csv";
  std::map<double, Knots> prefill, decode, mixed;
  constexpr double kMixedChunk = 16;
  Rows rows(path, {"prefill_chunk", "kv_prefill", "n_decode", "kv_decode", "time_us"});
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
  return LayerTable(std::move(about), std::move(layers), std::move(attention));
}

}  // namespace joulecast::hardware
