#include "serving/cost/bottom_up.hpp"

#include <cmath>
#include <utility>

#include "llm/operations.hpp"
#include "serving/cost/all_reduce_costs.hpp"
#include "serving/cost/attention_costs.hpp"
#include "serving/cost/clocked_costs.hpp"
#include "serving/cost/scaled_times.hpp"

namespace joulecast::serving {

namespace {

class BottomUpTimes final : public OperationTimes {
 public:
  BottomUpTimes(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel, llm::ExpertSplit split, HostLoad host_load)
      : gpu_(gpu),
        model_(model),
        tensor_parallel_(tensor_parallel),
        split_(split),
        host_load_(host_load),
        tables_(operation_tables(gpu_)),
        all_reduce_(gpu_, tensor_parallel, tables_.get()),
        attention_(gpu_, llm::step_operations(model_, tensor_parallel, 1, 1), model_.bytes_per_value(), tables_.get()) {}

  std::vector<OperationTime> of_tokens(std::int64_t padded) const override {
    const auto step = llm::step_operations(model_, tensor_parallel_, padded, 0, split_);
    std::vector<OperationTime> operations;
    double experts = 0;
    for (const auto& each : step.gemms) {
      operations.push_back(gemm(each.gemm, static_cast<double>(each.times)));
      if (each.experts) experts += operations.back().times * operations.back().timing.total;
    }
    operations.push_back(elementwise(step.token_elementwise_bytes));
    operations.push_back(all_reduce_.of(padded, step.all_reduces, step.all_reduce_bytes));
    if (step.expert_layers > 0) add_mixture(padded, step.expert_layers, experts, operations);
    return operations;
  }

  std::vector<OperationTime> of_sequences(std::int64_t scheduled) const override {
    const auto step = llm::step_operations(model_, tensor_parallel_, 0, scheduled, split_);
    double host = gpu_.host.step.value.si() + gpu_.host.sequence.value.si() * static_cast<double>(scheduled) +
                  gpu_.host.layer.value.si() * static_cast<double>(model_.layers);
    if (host_load_ != HostLoad::exclusive && gpu_.contention) {
      host += gpu_.contention->root.value.si() * std::sqrt(static_cast<double>(scheduled));
      if (host_load_ == HostLoad::shared_long_outputs) host += gpu_.contention->long_outputs.value.si();
    }
    return {gemm(step.lm_head, 1), elementwise(step.sequence_elementwise_bytes), {Work::host, {host, 0}}};
  }

  double generation(int sequences, double context) const override { return attention_.generation(sequences, context); }
  std::vector<double> knots(int sequences) const override { return attention_.knots(sequences); }
  AttentionSeconds mixed(const JoinedChunks& joined, int sequences, const hardware::ContextSpread& contexts) const override {
    return {sequences > 0 ? attention_.generation(sequences, contexts.mean) : 0, attention_.chunks(joined)};
  }

  Provenance provenance(Work work) const override {
    switch (work) {
      case Work::gemm:
        // The form was fitted on plain bf16 GEMMs.
        if (model_.experts || model_.latent || model_.weights.linear != model_.dtype) return Provenance::modelled;
        return worst_of(gpu_.gemm.launch, gpu_.gemm.compute_efficiency, gpu_.gemm.memory_efficiency, gpu_.gemm.sharpness);
      case Work::attention:
        return attention_.provenance();
      case Work::collective:
        return all_reduce_.provenance();
      case Work::elementwise:
        return model_.experts && gpu_.mixture
                   ? worst_of(gpu_.elementwise_efficiency, gpu_.mixture->layer, gpu_.mixture->quantized_layer, gpu_.mixture->visit)
                   : worst_of(gpu_.elementwise_efficiency);
      case Work::host:
        if (host_load_ != HostLoad::exclusive && gpu_.contention) {
          return worst_of(gpu_.host.step, gpu_.host.sequence, gpu_.host.layer, gpu_.contention->root, gpu_.contention->long_outputs);
        }
        return worst_of(gpu_.host.step, gpu_.host.sequence, gpu_.host.layer);
    }
    JOULECAST_BUG("no such class of work");
  }

 private:
  /// Layers of experts beside their GEMMs: ranks wait for the fullest (as in a collective), routing and scaling are small kernels.
  void add_mixture(std::int64_t tokens, std::int64_t layers, double experts, std::vector<OperationTime>& operations) const {
    const llm::Experts& shape = *model_.experts;
    if (split_ == llm::ExpertSplit::expert) {
      const double wait = experts * (llm::fullest_rank_over_mean(shape.count, shape.per_token, tokens, tensor_parallel_) - 1);
      operations.push_back({Work::collective, {wait, gpu_.clock.memory_bound.value * wait}});
    }
    if (!gpu_.mixture) return;
    const hardware::MixtureCost& cost = *gpu_.mixture;
    const auto of_layers = static_cast<double>(layers);
    double kernels = of_layers * (cost.layer.value.si() + cost.visit.value.si() * static_cast<double>(tokens * shape.per_token));
    if (model_.weights.linear == llm::DataType::fp8) kernels += static_cast<double>(model_.layers) * cost.quantized_layer.value.si();
    operations.push_back({Work::elementwise, {kernels, gpu_.clock.memory_bound.value * kernels}});
    if (shape.per_token == 1) operations.push_back({Work::host, {of_layers * cost.top1_layer.value.si(), 0}});
  }

  OperationTime gemm(const llm::Gemm& shape, double times) const {
    return {Work::gemm, hardware::gemm_timing(gpu_, shape.flops(), shape.bytes(model_.bytes_per_value())), times, shape.flops()};
  }
  OperationTime elementwise(double bytes) const { return {Work::elementwise, hardware::elementwise_timing(gpu_, bytes)}; }

  hardware::GpuProfile gpu_;
  llm::Architecture model_;
  int tensor_parallel_;
  llm::ExpertSplit split_;
  HostLoad host_load_;
  std::unique_ptr<const hardware::OperationTables> tables_;
  AllReduceCosts all_reduce_;
  AttentionCosts attention_;
};

}  // namespace

std::unique_ptr<const OperationTimes> bottom_up_times(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                                      llm::ExpertSplit split, HostLoad host_load) {
  llm::check_servable(model, Place{});
  llm::check_tensor_parallel(model, tensor_parallel, Place{}, split);
  return std::make_unique<const BottomUpTimes>(gpu, model, tensor_parallel, split, host_load);
}

std::unique_ptr<StepCosts> bottom_up_costs(const hardware::GpuProfile& gpu, const llm::Architecture& model, int tensor_parallel,
                                           const OperatingPoint& point, const EngineConfig& engine, const hardware::ServingResidual& residual,
                                           const ClassFactors& factors) {
  if (engine.data_parallel_size > 1) {
    throw UserError(Place{gpu.file, 0, 0}, "data-parallel ranks need a layer table with experts, and the profile names none for " + model.name,
                    "name one in the GPU profile's [tables] layers, or write replicas in place of data_parallel_size");
  }
  auto times = scaled_times(bottom_up_times(gpu, model, tensor_parallel, expert_split(engine), engine.host_load), factors);
  return std::make_unique<ClockedCosts>(std::move(times), scaled_watts(gpu, factors), model, tensor_parallel, point, engine, residual);
}

}  // namespace joulecast::serving
