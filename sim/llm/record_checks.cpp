#include "llm/record_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "llm/layers.hpp"

namespace joulecast::llm {

namespace {

/// How far a count may lie from what the maker states.
constexpr double kAgreement = 0.03;

/// Counts beyond this can't be summed in 64 bits; no model is near.
constexpr double kMostParameters = 1e17;

/// Upper bound of the parameters, in doubles.
double rough_parameters(const Architecture& model) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  const double hidden = real(model.hidden), layers = real(model.layers + model.encoder_layers);
  double layer = 8 * hidden * real(model.head_dim) * real(model.heads) + 3 * hidden * real(model.ffn);
  if (model.experts) {
    layer += 3 * hidden * (real(model.experts->ffn) * real(model.experts->count + model.experts->shared) + real(model.experts->shared_ffn));
  }
  if (model.latent) {
    const auto& latent = *model.latent;
    const double width = real(latent.q_lora) + real(latent.kv_lora) + hidden;
    layer += width * (hidden + real(model.heads) * (real(latent.qk_nope) + real(latent.qk_rope) + real(latent.v_head)));
  }
  if (model.mamba) {
    const double inner = real(model.mamba->heads) * real(model.mamba->head_dim);
    layer += (hidden + real(model.mamba->conv)) * (3 * inner + 2 * real(model.mamba->groups) * real(model.mamba->state));
  }
  return layers * layer + 2 * hidden * (real(model.vocab) + real(model.learned_positions));
}

void disagree(const Place& place, const char* what, double counted, double stated, config::Diagnostics& diagnostics) {
  if (std::abs(counted / stated - 1) <= kAgreement) return;
  diagnostics.error(place, fmt::format("the shape has {:.4g} {}, {:.4g} are stated", counted, what, stated),
                    "check the dimensions: the two must agree within 3 %");
}

}  // namespace

void check_shape(const Architecture& model, const Place& place, config::Diagnostics& diagnostics) {
  const auto refuse = [&](std::string what, std::string remedy) { diagnostics.error(place, std::move(what), std::move(remedy)); };
  if (model.heads % model.kv_heads != 0) {
    refuse(fmt::format("{} heads can't share {} KV heads", model.heads, model.kv_heads), "kv_heads must divide heads");
  }
  if ((model.form == Form::encoder_decoder) != (model.encoder_layers > 0)) {
    refuse("encoder_layers goes with form = \"encoder-decoder\"", "give both, or neither");
  }
  const auto count = [&](char kind) { return std::count(model.pattern.begin(), model.pattern.end(), kind); };
  if (!model.pattern.empty()) {
    const auto known = count('M') + count('-') + count('*');
    if (static_cast<std::int64_t>(model.pattern.size()) != model.layers || known != model.layers) {
      refuse(fmt::format("the pattern has {} letters, {} of them known, for {} layers", model.pattern.size(), known, model.layers),
             "write one of M, -, * a layer");
    }
    if (model.experts || model.local || model.form != Form::decoder) {
      refuse("a pattern with experts, local attention or an encoder is not supported", "leave the pattern or these out");
    }
  }
  if (model.mamba.has_value() != (count('M') > 0)) refuse("[mamba] goes with a pattern that has an M", "give both, or neither");
  if (model.latent && (model.form != Form::decoder || model.biases.qkv || model.qk_norm)) {
    refuse("latent attention with an encoder, biases or qk_norm is not supported", "leave one of them out");
  }
}

void check_experts(const Architecture& model, const Place& place, config::Diagnostics& diagnostics) {
  if (!model.experts) return;
  const auto& experts = *model.experts;
  if (experts.per_token > experts.count) {
    diagnostics.error(place, fmt::format("a token can't go through {} of {} experts", experts.per_token, experts.count),
                      "per_token must not exceed count");
  }
  if (experts.dense_first >= model.layers || experts.every > model.layers) {
    diagnostics.error(place, fmt::format("no layer of {} has experts", model.layers), "check dense_first and every, or leave [experts] out");
  }
}

void check_countable(const Architecture& model, const Place& place, config::Diagnostics& diagnostics) {
  const double rough = rough_parameters(model);
  if (rough > kMostParameters) diagnostics.error(place, fmt::format("the shape has about {:.1g} parameters", rough), "check the dimensions");
}

void check_parameters(const Architecture& model, const Place& place, config::Diagnostics& diagnostics) {
  check_countable(model, place, diagnostics);
  if (diagnostics.failed()) return;
  disagree(place, "parameters", static_cast<double>(model.parameters()), model.stated_parameters, diagnostics);
  if (model.stated_active_parameters > 0) {
    disagree(place, "active parameters", static_cast<double>(model.active_parameters()), model.stated_active_parameters, diagnostics);
  }
}

}  // namespace joulecast::llm
