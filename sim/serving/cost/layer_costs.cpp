#include "serving/cost/layer_costs.hpp"

#include <algorithm>
#include <utility>

#include "llm/layers.hpp"
#include "llm/operations.hpp"
#include "serving/cost/all_reduce_costs.hpp"
#include "serving/cost/clocked_costs.hpp"
#include "serving/cost/scaled_times.hpp"

namespace joulecast::serving {

namespace {

using hardware::Layer;

class LayerTimes final : public OperationTimes {
 public:
  LayerTimes(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
             const EngineConfig& engine)
      : table_(std::move(table)),
        gpu_(gpu),
        model_(model),
        tensor_parallel_(tensor_parallel),
        ranks_(static_cast<int>(engine.data_parallel_size)),
        whole_experts_(engine.enable_expert_parallel),
        layers_(static_cast<double>(model.layers)),
        tables_(tensor_parallel * ranks_ > 1 ? operation_tables(gpu_) : nullptr),
        all_reduce_(gpu_, tensor_parallel, tables_.get()),
        exchange_(gpu_, ranks_, tables_.get()) {}

  std::vector<OperationTime> of_tokens(std::int64_t padded) const override {
    const auto step = llm::step_operations(model_, tensor_parallel_, padded, 0);
    const auto tokens = static_cast<double>(padded);
    std::vector<OperationTime> operations;
    std::vector<Layer> gemms{Layer::qkv_proj, Layer::o_proj};
    if (!model_.experts) gemms.insert(gemms.end(), {Layer::gate_up_proj, Layer::down_proj});
    for (std::size_t i = 0; i < gemms.size(); ++i) operations.push_back(gemm(table_.dense(gemms[i], tokens), layers_, step.gemms[i].gemm.flops()));
    operations.push_back(elementwise(layers_ * (table_.dense(Layer::rotary_emb, tokens) + 2 * table_.dense(Layer::layernorm, tokens) +
                                                table_.dense(Layer::qk_norm, tokens) + table_.dense(Layer::act_fn, tokens)) +
                                     table_.dense(Layer::embedding, tokens) + table_.dense(Layer::final_layernorm, tokens)));
    operations.push_back(all_reduce_.of(padded, step.all_reduces, step.all_reduce_bytes));
    operations.push_back({Work::host, {table_.about().step_gap, 0}});
    return operations;
  }

  std::vector<OperationTime> of_all_ranks(std::int64_t padded) const override {
    if (!model_.experts) return {};
    const llm::Experts& experts = *model_.experts;
    const int gpus = tensor_parallel_ * ranks_;
    const double reached = llm::distinct_experts(experts.count, experts.per_token, padded);
    const double tokens = static_cast<double>(padded);
    // A GPU has whole experts and its even share of the visits, or a slice of every expert and every visit's part of it.
    const double seconds = whole_experts_ ? table_.experts(tokens / gpus, reached / gpus) : table_.experts(tokens, reached) / gpus;
    const double products = 3.0 * static_cast<double>(model_.hidden) * static_cast<double>(experts.ffn);
    const double flops = 2 * tokens * static_cast<double>(experts.per_token) * products / gpus;
    std::vector<OperationTime> operations{gemm(seconds, layers_, flops)};
    if (ranks_ == 1) return operations;
    // All-gather of the tokens with their router's logits, reduce-scatter of the experts' results: each is half of an all-reduce.
    const std::int64_t stream = padded * model_.hidden * model_.bytes_per_value();
    const std::int64_t logits = padded * experts.count * model_.bytes_per_value();
    for (const std::int64_t bytes : {stream + logits, stream}) {
      OperationTime half = exchange_.of(padded, model_.layers, bytes);
      half.times = 0.5;
      operations.push_back(half);
    }
    return operations;
  }

  std::vector<OperationTime> of_sequences(std::int64_t scheduled) const override {
    const auto sequences = static_cast<double>(scheduled);
    const double flops = llm::step_operations(model_, tensor_parallel_, 0, scheduled).lm_head.flops();
    return {gemm(table_.dense(Layer::lm_head, sequences), 1, flops), elementwise(table_.dense(Layer::sampler, sequences))};
  }

  double generation(int sequences, double context) const override { return layers_ * table_.attention(0, 0, sequences, context); }
  std::vector<double> knots(int sequences) const override { return table_.decode_knots(sequences); }
  AttentionSeconds mixed(const JoinedChunks& joined, int sequences, const hardware::ContextSpread& contexts) const override {
    const double chunks = layers_ * table_.attention(joined.tokens, joined.context, 0, 0);
    if (sequences == 0) return {0, chunks};
    const double beside = layers_ * table_.attention(joined.tokens, joined.context, sequences, contexts.mean) - chunks;
    return {beside + layers_ * table_.uneven_seconds(true, sequences, contexts), chunks};
  }
  double uneven_share(int sequences, const hardware::ContextSpread& contexts) const override {
    const double extra = table_.uneven_seconds(false, sequences, contexts);
    return extra > 0 ? extra / table_.attention(0, 0, sequences, contexts.mean) : 0;
  }
  bool knows_uneven() const override { return table_.knows_uneven(); }
  bool covers_tokens(std::int64_t padded, std::int64_t of_all_ranks) const override {
    const bool shared = !model_.experts || table_.covers_tokens(static_cast<double>(of_all_ranks) / (whole_experts_ ? tensor_parallel_ * ranks_ : 1));
    return shared && table_.covers_tokens(static_cast<double>(padded));
  }
  bool covers_decode(int sequences, double context) const override { return table_.covers_decode(sequences, context); }
  bool covers_chunk(const JoinedChunks& joined) const override { return table_.covers_chunk(joined.tokens, joined.context); }

  Provenance provenance(Work work) const override {
    if (work == Work::collective) return worst(all_reduce_.provenance(), exchange_.provenance());
    // How a tensor-parallel group's slices of experts behave was not measured.
    const bool sliced = work == Work::gemm && model_.experts && !whole_experts_ && tensor_parallel_ * ranks_ > 1;
    return sliced ? Provenance::modelled : Provenance::measured;
  }

 private:
  /// The core part of a measured GEMM is its compute time, at least the memory-bound share (see hardware::gemm_timing).
  OperationTime gemm(double total, double times, double flops) const {
    const double compute = flops / (gpu_.gemm.compute_efficiency.value * gpu_.peak_bf16.value.si());
    return {Work::gemm, {total, std::min(total, std::max(compute, gpu_.clock.memory_bound.value * total))}, times, flops};
  }
  OperationTime elementwise(double seconds) const { return {Work::elementwise, {seconds, gpu_.clock.memory_bound.value * seconds}}; }

  hardware::LayerTable table_;
  hardware::GpuProfile gpu_;
  llm::Architecture model_;
  int tensor_parallel_, ranks_;
  bool whole_experts_;
  double layers_;
  std::unique_ptr<const hardware::OperationTables> tables_;
  AllReduceCosts all_reduce_, exchange_;
};

}  // namespace

std::unique_ptr<StepCosts> layer_table_costs(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                                             int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine,
                                             const hardware::ServingResidual& residual, const ClassFactors& factors) {
  llm::check_servable(model, Place{});
  llm::check_tensor_parallel(model, tensor_parallel, Place{}, expert_split(engine));
  const bool experts_fit = model.experts.has_value() == table.has_experts() &&
                           (!model.experts || (llm::count_layers(model).dense == 0 && model.experts->shared_width() == 0));
  if (!experts_fit || model.latent || model.local) {
    throw UserError(Place{model.file, 0, 0},
                    "this layer table does not fit " + model.name + ": it holds " + (table.has_experts() ? "experts" : "a dense feed-forward layer") +
                        ", and latent or local attention, shared experts or some dense layers are not supported with a table",
                    "take the table out of the GPU profile's [tables] layers; the costs are then added up from operations");
  }
  auto times = scaled_times(std::make_unique<const LayerTimes>(std::move(table), gpu, model, tensor_parallel, engine), factors);
  return std::make_unique<ClockedCosts>(std::move(times), scaled_watts(gpu, factors), model, tensor_parallel, point, engine, residual);
}

}  // namespace joulecast::serving
