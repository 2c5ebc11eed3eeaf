#include "serving/cost/layer_costs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "llm/operations.hpp"
#include "serving/cost/all_reduce_costs.hpp"
#include "serving/cost/clocked_costs.hpp"

namespace joulecast::serving {

namespace {

using hardware::Layer;

class LayerTimes final : public OperationTimes {
 public:
  LayerTimes(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel)
      : table_(std::move(table)),
        gpu_(gpu),
        model_(model),
        tensor_parallel_(tensor_parallel),
        layers_(static_cast<double>(model.layers)),
        tables_(tensor_parallel > 1 ? operation_tables(gpu_) : nullptr),
        all_reduce_(gpu_, tensor_parallel, tables_.get()) {}

  std::vector<OperationTime> of_tokens(std::int64_t padded) const override {
    const auto step = llm::step_operations(model_, tensor_parallel_, padded, 0);
    const auto tokens = static_cast<double>(padded);
    std::vector<OperationTime> operations;
    constexpr std::array gemms{Layer::qkv_proj, Layer::o_proj, Layer::gate_up_proj, Layer::down_proj};
    for (std::size_t i = 0; i < gemms.size(); ++i) operations.push_back(gemm(gemms[i], tokens, layers_, step.gemms[i].gemm.flops()));
    operations.push_back(elementwise(layers_ * (table_.dense(Layer::rotary_emb, tokens) + 2 * table_.dense(Layer::layernorm, tokens) +
                                                table_.dense(Layer::qk_norm, tokens) + table_.dense(Layer::act_fn, tokens)) +
                                     table_.dense(Layer::embedding, tokens) + table_.dense(Layer::final_layernorm, tokens)));
    operations.push_back(all_reduce_.of(padded, step.all_reduces, step.all_reduce_bytes));
    operations.push_back({Work::host, {table_.about().step_gap, 0}});
    return operations;
  }

  std::vector<OperationTime> of_sequences(std::int64_t scheduled) const override {
    const auto sequences = static_cast<double>(scheduled);
    const double flops = llm::step_operations(model_, tensor_parallel_, 0, scheduled).lm_head.flops();
    return {gemm(Layer::lm_head, sequences, 1, flops), elementwise(table_.dense(Layer::sampler, sequences))};
  }

  double generation(int sequences, double context) const override { return layers_ * table_.attention(0, 0, sequences, context); }
  std::vector<double> knots(int sequences) const override { return table_.decode_knots(sequences); }
  AttentionSeconds mixed(const JoinedChunks& joined, int sequences, double context) const override {
    const double chunks = layers_ * table_.attention(joined.tokens, joined.context, 0, 0);
    if (sequences == 0) return {0, chunks};
    return {layers_ * table_.attention(joined.tokens, joined.context, sequences, context) - chunks, chunks};
  }

  Provenance provenance(Work work) const override { return work == Work::collective ? all_reduce_.provenance() : Provenance::measured; }

 private:
  /// The core part of a measured GEMM is its compute time, at least the memory-bound share (see hardware::gemm_timing).
  OperationTime gemm(Layer layer, double tokens, double times, double flops) const {
    const double total = table_.dense(layer, tokens);
    const double compute = flops / (gpu_.gemm.compute_efficiency.value * gpu_.peak_bf16.value.si());
    return {Work::gemm, {total, std::min(total, std::max(compute, gpu_.clock.memory_bound.value * total))}, times, flops};
  }
  OperationTime elementwise(double seconds) const { return {Work::elementwise, {seconds, gpu_.clock.memory_bound.value * seconds}}; }

  hardware::LayerTable table_;
  hardware::GpuProfile gpu_;
  llm::Architecture model_;
  int tensor_parallel_;
  double layers_;
  std::unique_ptr<const hardware::OperationTables> tables_;
  AllReduceCosts all_reduce_;
};

}  // namespace

std::unique_ptr<StepCosts> layer_table_costs(hardware::LayerTable table, const hardware::GpuProfile& gpu, const llm::Architecture& model,
                                             int tensor_parallel, const OperatingPoint& point, const EngineConfig& engine) {
  llm::check_servable(model, Place{});
  llm::check_tensor_parallel(model, tensor_parallel, Place{});
  if (model.experts || model.latent || model.local) {
    throw UserError(Place{model.file, 0, 0}, "a layer table of a model with experts, latent or local attention is not supported: " + model.name,
                    "take the table out of the GPU profile's [tables] layers; the costs are then added up from operations");
  }
  auto times = std::make_unique<const LayerTimes>(std::move(table), gpu, model, tensor_parallel);
  return std::make_unique<ClockedCosts>(std::move(times), gpu, model, tensor_parallel, point, engine);
}

}  // namespace joulecast::serving
