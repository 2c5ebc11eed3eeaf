#include <memory>
#include <string_view>
#include <utility>

#include "config/node.hpp"
#include "llm/architecture.hpp"

namespace joulecast::llm {

namespace {

using config::Node;

/// A table under construction; `put` leaves out what equals the default.
class Writer {
 public:
  void put(std::string_view key, Node::Value value) {
    table_.entries.push_back({std::string(key), Place{}, std::make_unique<Node>(std::move(value), Place{})});
  }
  void text(std::string_view key, std::string_view value) { put(key, Node::Value(std::string(value))); }
  void number(std::string_view key, std::int64_t value) { put(key, Node::Value(value)); }
  void number_unless(std::string_view key, std::int64_t value, std::int64_t standard) {
    if (value != standard) number(key, value);
  }
  void flag(std::string_view key, bool value) { put(key, Node::Value(value)); }
  void flag_unless(std::string_view key, bool value, bool standard) {
    if (value != standard) flag(key, value);
  }
  void list(std::string_view key, const std::vector<std::string>& words) {
    Node::Array array;
    for (const auto& word : words) array.emplace_back(Node::Value(word), Place{});
    put(key, Node::Value(std::move(array)));
  }
  void table(std::string_view key, Writer nested) { put(key, Node::Value(std::move(nested.table_))); }
  std::string written() && { return config::write(Node(Node::Value(std::move(table_)), Place{})); }

 private:
  config::Table table_;
};

void write_shape(const Architecture& model, Writer& out) {
  if (model.form != Form::decoder) out.text("form", model.form == Form::encoder ? "encoder" : "encoder-decoder");
  out.number("layers", model.layers);
  out.number_unless("encoder_layers", model.encoder_layers, 0);
  out.number("hidden", model.hidden);
  out.number("heads", model.heads);
  out.number("kv_heads", model.kv_heads);
  out.number("head_dim", model.head_dim);
  out.number("ffn", model.ffn);
  out.flag("gated", model.gated);
  out.number("vocab", model.vocab);
  out.flag("tied", model.tied);
  out.number("max_position", model.max_position);
  out.text("dtype", name(model.dtype));
}

void write_details(const Architecture& model, Writer& out) {
  if (model.norm == Norm::layer) out.text("norm", "layer");
  out.number_unless("norms_per_layer", model.norms_per_layer, 2);
  out.flag_unless("final_norm", model.final_norm, true);
  out.flag_unless("embedding_norm", model.embedding_norm, false);
  out.flag_unless("qk_norm", model.qk_norm, false);
  out.flag_unless("attention_sinks", model.attention_sinks, false);
  out.flag_unless("parallel_blocks", model.parallel_blocks, false);
  std::vector<std::string> biases;
  if (model.biases.qkv) biases.emplace_back("qkv");
  if (model.biases.output) biases.emplace_back("output");
  if (model.biases.ffn) biases.emplace_back("ffn");
  if (model.biases.experts) biases.emplace_back("experts");
  if (!biases.empty()) out.list("biases", biases);
  constexpr std::string_view positions[] = {"rotary", "learned", "alibi", "relative", "none"};
  if (model.positions != Positions::rotary) out.text("positions", positions[static_cast<std::size_t>(model.positions)]);
  out.number_unless("learned_positions", model.learned_positions, 0);
  if (!model.pattern.empty()) out.text("pattern", model.pattern);
}

void write_blocks(const Architecture& model, Writer& out) {
  if (model.weights.linear != model.dtype || model.weights.experts != model.dtype) {
    Writer weights;
    weights.text("linear", name(model.weights.linear));
    weights.text("experts", name(model.weights.experts));
    out.table("weights", std::move(weights));
  }
  if (model.latent) {
    Writer latent;
    latent.number_unless("q_lora", model.latent->q_lora, 0);
    latent.number("kv_lora", model.latent->kv_lora);
    latent.number("qk_nope", model.latent->qk_nope);
    latent.number("qk_rope", model.latent->qk_rope);
    latent.number("v_head", model.latent->v_head);
    out.table("latent_attention", std::move(latent));
  }
  if (model.local) {
    Writer local;
    local.number("window", model.local->window);
    local.number("full_every", model.local->full_every);
    out.table("local_attention", std::move(local));
  }
  if (model.experts) {
    Writer experts;
    experts.number("count", model.experts->count);
    experts.number("per_token", model.experts->per_token);
    experts.number_unless("shared", model.experts->shared, 0);
    experts.number("ffn", model.experts->ffn);
    experts.number_unless("shared_ffn", model.experts->shared_ffn, 0);
    experts.number_unless("dense_first", model.experts->dense_first, 0);
    experts.number_unless("every", model.experts->every, 1);
    experts.flag_unless("router_bias", model.experts->router_bias, false);
    out.table("experts", std::move(experts));
  }
  if (model.mamba) {
    Writer mamba;
    mamba.number("heads", model.mamba->heads);
    mamba.number("head_dim", model.mamba->head_dim);
    mamba.number("state", model.mamba->state);
    mamba.number("groups", model.mamba->groups);
    mamba.number("conv", model.mamba->conv);
    out.table("mamba", std::move(mamba));
  }
  if (model.other.count > 0) {
    Writer other;
    other.number("count", model.other.count);
    other.text("what", model.other.what);
    other.flag("active", model.other.active);
    out.table("other_parameters", std::move(other));
  }
}

}  // namespace

std::string architecture_toml(const Architecture& model) {
  Writer out;
  out.text("name", model.name);
  if (!model.aliases.empty()) out.list("aliases", model.aliases);
  write_shape(model, out);
  write_details(model, out);
  out.put("stated_parameters", Node::Value(model.stated_parameters));
  if (model.stated_active_parameters > 0) out.put("stated_active_parameters", Node::Value(model.stated_active_parameters));
  out.flag_unless("active_leaves_embedding_out", model.active_leaves_embedding_out, false);
  out.text("source", model.source);
  write_blocks(model, out);
  return std::move(out).written();
}

}  // namespace joulecast::llm
