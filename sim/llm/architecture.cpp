#include "llm/architecture.hpp"

#include <fmt/format.h>

#include <cmath>

#include "config/record.hpp"

namespace joulecast::llm {

namespace {

using config::Bounds;

config::Record<Architecture> architecture_record() {
  const auto count = Bounds::between(1, 1e9);
  config::Record<Architecture> r("architecture");
  r.required("name", &Architecture::name, Bounds::any(), "Hugging Face id");
  r.optional("aliases", &Architecture::aliases, "[]", Bounds::any(), "other names of the same shape");
  r.required("layers", &Architecture::layers, count, "transformer layers");
  r.required("hidden", &Architecture::hidden, count, "width of the residual stream");
  r.required("heads", &Architecture::heads, count, "query heads");
  r.required("kv_heads", &Architecture::kv_heads, count, "key and value heads");
  r.required("head_dim", &Architecture::head_dim, count, "width of a head");
  r.required("ffn", &Architecture::ffn, count, "width of the feed-forward layer");
  r.required("gated", &Architecture::gated, Bounds::any(), "gate and up projection, or one");
  r.required("vocab", &Architecture::vocab, count, "rows of the embedding");
  r.required("tied", &Architecture::tied, Bounds::any(), "the unembedding shares the embedding's weights");
  r.required("max_position", &Architecture::max_position, count, "longest context");
  r.required("dtype", &Architecture::dtype, Bounds::any(), "bf16 or fp16");
  r.required("stated_parameters", &Architecture::stated_parameters, Bounds::positive(), "parameters as the maker states them");
  r.required("source", &Architecture::source, Bounds::any(), "where the shape was read");
  r.check([](const Architecture& model, const Place& place, config::Diagnostics& diagnostics) {
    if (model.heads % model.kv_heads != 0) {
      diagnostics.error(place, fmt::format("{} heads can't share {} KV heads", model.heads, model.kv_heads), "kv_heads must divide heads");
    }
    if (model.dtype != "bf16" && model.dtype != "fp16") {
      diagnostics.error(place, fmt::format("dtype \"{}\" is not supported", model.dtype), "write dtype = \"bf16\" or \"fp16\"");
    }
    const double counted = static_cast<double>(model.parameters());
    if (std::abs(counted / model.stated_parameters - 1) > 0.03) {
      diagnostics.error(place, fmt::format("the shape has {:.4g} parameters, {:.4g} are stated", counted, model.stated_parameters),
                        "check the dimensions: the two must agree within 3 %");
    }
  });
  return r;
}

}  // namespace

std::int64_t Architecture::parameters() const {
  const std::int64_t attention = hidden * head_dim * (2 * heads + 2 * kv_heads);
  const std::int64_t feed_forward = hidden * ffn * (gated ? 3 : 2);
  const std::int64_t norms = 2 * hidden;
  const std::int64_t embeddings = vocab * hidden * (tied ? 1 : 2);
  return layers * (attention + feed_forward + norms) + embeddings + hidden;
}

Architecture load_architecture(const std::string& path, config::Diagnostics& diagnostics) {
  auto model = architecture_record().read(config::load(path), diagnostics);
  model.file = path;
  return model;
}

void check_tensor_parallel(const Architecture& model, int t, const Place& place) {
  const auto refuse = [&](const std::string& what) {
    throw UserError(
        place, fmt::format("{} can't be split over {} GPUs: {}", model.name, t, what),
        fmt::format("give a tensor parallelism that divides {} heads, for example {}", model.heads, model.heads % 2 == 0 ? "1 or 2" : "1"));
  };
  if (t < 1) refuse("tensor parallelism starts at 1");
  if (model.heads % t != 0) refuse(fmt::format("{} heads are no multiple of it", model.heads));
  if (model.ffn % t != 0) refuse(fmt::format("the feed-forward width {} is no multiple of it", model.ffn));
  if (model.kv_heads % t != 0 && t % model.kv_heads != 0)
    refuse(fmt::format("{} KV heads neither divide it nor are a multiple of it", model.kv_heads));
}

}  // namespace joulecast::llm
