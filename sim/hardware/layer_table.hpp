#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.hpp"
#include "hardware/operation_table.hpp"
#include "hardware/uneven_contexts.hpp"

namespace joulecast::hardware {

/// Layers of a model as vLLM's layer profiles name them. The first nine take tokens, the last two take sequences.
enum class Layer : std::uint8_t {
  qkv_proj,
  qk_norm,
  rotary_emb,
  o_proj,
  layernorm,
  gate_up_proj,
  act_fn,
  down_proj,
  embedding,
  final_layernorm,
  lm_head,
  sampler,
};
inline constexpr int kLayers = 12;
constexpr std::string_view name(Layer layer) {
  constexpr std::string_view names[] = {"qkv_proj", "qk_norm",   "rotary_emb", "o_proj",          "layernorm", "gate_up_proj",
                                        "act_fn",   "down_proj", "embedding",  "final_layernorm", "lm_head",   "sampler"};
  return names[static_cast<int>(layer)];
}
/// lm_head and sampler work on scheduled sequences, every other layer on scheduled tokens.
constexpr bool takes_sequences(Layer layer) { return layer == Layer::lm_head || layer == Layer::sampler; }

constexpr bool is_feed_forward(Layer layer) { return layer == Layer::gate_up_proj || layer == Layer::act_fn || layer == Layer::down_proj; }

/// Measured times of the layers of one model on one GPU of one tensor-parallel group, seconds. Dense layers are linear between knots and
/// proportional above the last. Attention (of one layer) is linear in contexts and in decoding sequences and log-log in the chunk's tokens: left
/// out one at a time, measured points of the RTX 4090's table come back within (median) 0.4 % over the context before a chunk, 2.3 % over the chunk
/// (linear: 5.5 %), 0.9 % over decode context and 1.9 % over sequences (log-log: 3.1 %), dense ones within 0.6 %; knots are powers of two.
class LayerTable {
 public:
  struct Attention {
    Surface prefill;  ///< (tokens of the chunk, context before it)
    Surface decode;   ///< (sequences, mean context)
    Surface mixed;    ///< (sequences, mean context) beside a chunk of `mixed_chunk` tokens with no context
    double mixed_chunk = 16;
  };
  struct About {
    std::string gpu, model, source;
    std::int64_t tensor_parallel = 1;
    double step_gap = 0;                       ///< seconds a step takes on this card beside its layers, as found by replaying a measured run
    double median_error = 0, worst_error = 0;  ///< of interpolation at measured points that the file leaves out; 0 where none is
  };

  /// What not every profile has.
  struct Extras {
    std::optional<Surface> experts;  ///< all of one layer's experts on one GPU: (tokens, each with all its visits; experts that they reach)
    UnevenContexts uneven;
  };

  LayerTable(About about, std::array<std::optional<Curve>, kLayers> layers, Attention attention, Extras extras = {});

  bool has(Layer layer) const { return layers_[static_cast<std::size_t>(layer)].has_value(); }
  /// Time of a layer at so many tokens (sequences for lm_head and sampler); 0 where the model has no such layer (qk_norm, a dense feed-forward).
  double dense(Layer layer, double tokens) const;
  /// Attention of one layer in a step with a chunk of `chunk` tokens after `context` (0: no chunk) and `sequences` decoding ones of mean context
  /// `mean` (0: none). Both: prefill(chunk, context) + mixed(sequences, mean) - prefill(mixed_chunk, 0).
  double attention(double chunk, double context, double sequences, double mean) const;
  /// Seconds by which attention of one layer takes longer than at the mean context of so many decoding sequences, alone or beside a chunk; 0 without a
  /// measured profile of uneven contexts.
  double uneven_seconds(bool beside_chunk, double sequences, const ContextSpread& spread) const;
  bool knows_uneven() const { return !extras_.uneven.empty(); }
  const UnevenContexts& uneven() const { return extras_.uneven; }
  bool has_experts() const { return extras_.experts.has_value(); }
  /// A layer's experts on one GPU, `tokens` with all their visits reaching `active` experts.
  double experts(double tokens, double active) const;
  /// Whether what is asked lies within what was measured; beyond it, edge values are scaled.
  bool covers_tokens(double tokens) const;
  bool covers_decode(double sequences, double context) const;
  bool covers_chunk(double tokens, double context) const;
  /// Mean contexts between which the decode attention of so many sequences is linear.
  std::vector<double> decode_knots(double sequences) const { return attention_.decode.knots_at(sequences); }
  const About& about() const { return about_; }

 private:
  double prefill(double chunk, double context) const;

  About about_;
  std::array<std::optional<Curve>, kLayers> layers_;
  Attention attention_;
  Extras extras_;
};

/// Reads a folder of layer times as published beside LLMServingSim: dense.csv (layer,tokens,time_us), per_sequence.csv (layer,sequences,time_us) and
/// attention.csv (prefill_chunk,kv_prefill,n_decode,kv_decode,time_us); where there are, moe.csv (tokens,activated_experts,time_us; else that of tp1
/// beside the folder) and skew.csv (read_uneven_contexts), unless meta.yaml beside the folder switches its skew_profile off. Throws UserError with the place of a fault in them.
LayerTable read_layer_folder(const std::string& folder);

/// Reads thinned knots (tools/make-layer-knots.py). Throws UserError with every fault.
LayerTable read_layer_knots(const config::Node& root);
inline LayerTable read_layer_knots_file(const std::string& path) { return read_layer_knots(config::parse_file(path)); }

}  // namespace joulecast::hardware
