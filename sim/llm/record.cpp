#include "llm/record.hpp"

#include <string>

#include "llm/record_checks.hpp"

namespace joulecast::llm {

namespace {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

const Bounds kCount = Bounds::between(1, 1e9);
const Bounds kFromNone = Bounds::between(0, 1e9);

Record<LatentAttention> latent_record() {
  Record<LatentAttention> r("latent_attention");
  r.optional("q_lora", &LatentAttention::q_lora, "0", kFromNone, "width of the compressed query; 0: not compressed");
  r.required("kv_lora", &LatentAttention::kv_lora, kCount, "width of the compressed keys and values");
  r.required("qk_nope", &LatentAttention::qk_nope, kCount, "width of a head's part of query and key without position");
  r.required("qk_rope", &LatentAttention::qk_rope, kCount, "width of the part with rotary position");
  r.required("v_head", &LatentAttention::v_head, kCount, "width of a head's value");
  return r;
}

Record<LocalAttention> local_record() {
  Record<LocalAttention> r("local_attention");
  r.required("window", &LocalAttention::window, kCount, "tokens that a token of a local layer sees, itself included");
  r.required("full_every", &LocalAttention::full_every, kFromNone, "each so-many-th layer sees all; 0: none does");
  return r;
}

Record<Experts> experts_record() {
  Record<Experts> r("experts");
  r.required("count", &Experts::count, kCount, "routed experts of a layer");
  r.required("per_token", &Experts::per_token, kCount, "routed experts that a token goes through");
  r.optional("shared", &Experts::shared, "0", kFromNone, "experts that every token goes through");
  r.required("ffn", &Experts::ffn, kCount, "width of an expert");
  r.optional("shared_ffn", &Experts::shared_ffn, "shared * ffn", kFromNone, "width of the shared experts together");
  r.optional("dense_first", &Experts::dense_first, "0", kFromNone, "so many first layers are dense");
  r.optional("every", &Experts::every, "1", kCount, "each so-many-th layer has experts, the others are dense");
  r.optional("router_bias", &Experts::router_bias, "false", Bounds::any(), "a bias an expert in the router");
  return r;
}

Record<Mamba> mamba_record() {
  Record<Mamba> r("mamba");
  r.required("heads", &Mamba::heads, kCount, "heads");
  r.required("head_dim", &Mamba::head_dim, kCount, "channels of a head");
  r.required("state", &Mamba::state, kCount, "state elements a channel");
  r.required("groups", &Mamba::groups, kCount, "groups that share B and C");
  r.required("conv", &Mamba::conv, kCount, "width of the convolution");
  return r;
}

Record<OtherParameters> other_record() {
  Record<OtherParameters> r("other_parameters");
  r.required("count", &OtherParameters::count, Bounds::between(1, 1e12), "parameters");
  r.required("what", &OtherParameters::what, Bounds::any(), "what they are");
  r.required("active", &OtherParameters::active, Bounds::any(), "a token of text goes through them");
  return r;
}

std::vector<std::pair<std::string, DataType>> types(std::initializer_list<DataType> allowed) {
  std::vector<std::pair<std::string, DataType>> result;
  for (const DataType each : allowed) result.emplace_back(name(each), each);
  return result;
}

Record<WeightTypes> weights_record() {
  const auto all = types({DataType::bf16, DataType::fp16, DataType::fp32, DataType::fp8, DataType::mxfp4});
  Record<WeightTypes> r("weights");
  r.choice("linear", &WeightTypes::linear, all, "", "matrices of attention, dense feed-forward layers and shared experts");
  r.choice("experts", &WeightTypes::experts, all, "the same as linear", "matrices of routed experts");
  return r;
}

void read_weights(Architecture& model, const Node& node, Diagnostics& diagnostics) {
  model.weights = weights_record().read(node, diagnostics);
  const auto* table = node.as<config::Table>();
  if (table != nullptr && table->find("experts") == nullptr) model.weights.experts = model.weights.linear;
}

void read_biases(Architecture& model, const Node& node, Diagnostics& diagnostics) {
  const std::pair<std::string, bool Biases::*> known[] = {
      {"qkv", &Biases::qkv}, {"output", &Biases::output}, {"ffn", &Biases::ffn}, {"experts", &Biases::experts}};
  const auto* list = node.as<Node::Array>();
  if (list == nullptr) {
    diagnostics.error(node.place(), "expected a list, read " + std::string(node.kind()), "write biases = [\"qkv\", \"output\", \"ffn\"]");
    return;
  }
  for (const Node& each : *list) {
    const auto* text = each.as<std::string>();
    bool found = false;
    for (const auto& [word, member] : known) {
      if (text == nullptr || *text != word) continue;
      model.biases.*member = found = true;
    }
    if (!found) {
      diagnostics.error(each.place(), text == nullptr ? "expected a string" : "no projection is called " + config::quoted(*text),
                        "choose of \"qkv\", \"output\", \"ffn\", \"experts\"");
    }
  }
}

void add_shape(Record<Architecture>& r) {
  r.choice("form", &Architecture::form, {{"decoder", Form::decoder}, {"encoder", Form::encoder}, {"encoder-decoder", Form::encoder_decoder}},
           "\"decoder\"", "what generates, what reads only, or both");
  r.required("layers", &Architecture::layers, Bounds::between(1, 10000), "layers of the decoder, or of an encoder that stands alone");
  r.optional("encoder_layers", &Architecture::encoder_layers, "0", Bounds::between(0, 10000), "layers of the encoder beside a decoder");
  r.required("hidden", &Architecture::hidden, kCount, "width of the residual stream");
  r.required("heads", &Architecture::heads, kCount, "query heads");
  r.required("kv_heads", &Architecture::kv_heads, kCount, "key and value heads");
  r.required("head_dim", &Architecture::head_dim, kCount, "width of a head");
  r.required("ffn", &Architecture::ffn, kCount, "width of a dense feed-forward layer");
  r.required("gated", &Architecture::gated, Bounds::any(), "gate and up projection, or one");
  r.required("vocab", &Architecture::vocab, kCount, "rows of the embedding");
  r.required("tied", &Architecture::tied, Bounds::any(), "the unembedding shares the embedding's weights");
  r.required("max_position", &Architecture::max_position, kCount, "longest context");
  r.choice("dtype", &Architecture::dtype, types({DataType::bf16, DataType::fp16, DataType::fp32}), "",
           "activations, KV and all weights that [weights] doesn't name");
  r.custom("weights", "table", "dtype's", "data types of weight matrices: linear, experts", read_weights);
}

void add_details(Record<Architecture>& r) {
  r.choice("norm", &Architecture::norm, {{"rms", Norm::rms}, {"layer", Norm::layer}}, "\"rms\"", "RMSNorm, or LayerNorm with bias");
  r.optional("norms_per_layer", &Architecture::norms_per_layer, "2", Bounds::between(1, 8), "norms of a layer");
  r.optional("final_norm", &Architecture::final_norm, "true", Bounds::any(), "a norm after the last layer");
  r.optional("embedding_norm", &Architecture::embedding_norm, "false", Bounds::any(), "a norm after the embedding");
  r.optional("qk_norm", &Architecture::qk_norm, "false", Bounds::any(), "a norm of query and key heads");
  r.optional("attention_sinks", &Architecture::attention_sinks, "false", Bounds::any(), "a learned score a head");
  r.optional("parallel_blocks", &Architecture::parallel_blocks, "false", Bounds::any(), "attention and feed-forward layer read the same input");
  r.custom("biases", "list of string", "[]", "projections with a bias: qkv, output, ffn, experts", read_biases);
  r.choice("positions", &Architecture::positions,
           {{"rotary", Positions::rotary},
            {"learned", Positions::learned},
            {"alibi", Positions::alibi},
            {"relative", Positions::relative},
            {"none", Positions::none}},
           "\"rotary\"", "how a token's position enters");
  r.optional("learned_positions", &Architecture::learned_positions, "0", kFromNone, "rows of learned position and segment embeddings");
  r.table("latent_attention", &Architecture::latent, latent_record(), "multi-head latent attention");
  r.table("local_attention", &Architecture::local, local_record(), "layers that see a window");
  r.table("experts", &Architecture::experts, experts_record(), "mixture of experts");
  r.table("mamba", &Architecture::mamba, mamba_record(), "Mamba-2 mixers");
  r.optional("pattern", &Architecture::pattern, "\"\"", Bounds::any(), "one letter a layer: M Mamba, - feed-forward, * attention");
  r.table("other_parameters", &Architecture::other, other_record(), "parameters that none of these holds");
}

}  // namespace

Record<Architecture> architecture_record() {
  Record<Architecture> r("architecture");
  r.required("name", &Architecture::name, Bounds::any(), "Hugging Face id");
  r.optional("aliases", &Architecture::aliases, "[]", Bounds::any(), "other names of the same shape");
  add_shape(r);
  add_details(r);
  r.required("stated_parameters", &Architecture::stated_parameters, Bounds::positive(), "parameters as the maker states them");
  r.optional("stated_active_parameters", &Architecture::stated_active_parameters, "not stated", Bounds::positive(), "those a token goes through");
  r.optional("active_leaves_embedding_out", &Architecture::active_leaves_embedding_out, "false", Bounds::any(),
             "the maker's active count is without the input embedding");
  r.required("source", &Architecture::source, Bounds::any(), "where the shape was read");
  r.check(check_shape);
  r.check(check_experts);
  r.check(check_parameters);
  return r;
}

}  // namespace joulecast::llm
