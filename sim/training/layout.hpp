#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "llm/architecture.hpp"
#include "training/schedule.hpp"

namespace joulecast::training {

/// Which forward work is done again in the backward pass so that its activations need not be kept (Korthikanti et al., arXiv 2205.05198, section 5):
/// the scores of attention, or whole layers of which only the input is kept.
enum class Recompute : std::uint8_t { none, selective, full };
std::string_view name(Recompute recompute);
std::optional<Recompute> recompute(std::string_view name);

/// What is trained: all weights, or low-rank adapters beside frozen ones (Hu et al., arXiv 2106.09685).
enum class Method : std::uint8_t { pretrain, lora };
std::string_view name(Method method);
std::optional<Method> method(std::string_view name);

/// Bytes of an activation and of a weight as matrices read them: mixed precision with bf16 or fp16, whatever a checkpoint is stored in.
inline constexpr double kValueBytes = 2;

/// How a job is cut over GPUs; Megatron's words. Ranks lie tensor-parallel fastest, then context, data, pipeline: neighbours in a node share tensors.
/// Experts are spread over ranks that hold the same stage (of the data- and context-parallel ones).
struct Layout {
  std::int64_t tensor = 1, pipeline = 1, data = 1, context = 1, expert = 1;
  std::int64_t virtual_chunks = 1;      ///< pieces of the model a stage (interleaved)
  std::vector<std::int64_t> layers_of;  ///< layers a chunk in the order of the model; empty: the same number in each
  std::int64_t global_batch_size = 1, micro_batch_size = 1, seq_length = 1;

  bool sequence_parallel = false;  ///< norms and dropouts are split over the tensor-parallel ranks
  bool flash_attention = true;     ///< scores never reach memory, masked ones are not computed
  Recompute recompute = Recompute::none;
  bool distributed_optimizer = false;  ///< ZeRO-1: each data-parallel rank keeps and steps its share of the optimizer's state
  bool overlap_p2p = false;            ///< messages between stages go on beside work; else a pass ends when its message is through
  /// Backward, the collectives of column-split matrices go on beside the weights' gradients (Megatron-LM since 2022).
  bool overlap_tensor_parallel = false;
  /// Gradients are summed beside the last microbatch's backward pass, parameters gathered beside the first forward pass.
  bool overlap_grad_reduce = false;
  Method method = Method::pretrain;
  std::int64_t lora_rank = 16;  ///< of the adapters on attention's projections

  std::int64_t gpus() const { return tensor * pipeline * data * context; }
  std::int64_t chunks() const { return pipeline * virtual_chunks; }
  /// Microbatches of one pipeline in an iteration.
  std::int64_t microbatches() const { return global_batch_size / (data * micro_batch_size); }
  /// GPUs that do one stage's pass together.
  std::int64_t gpus_per_stage() const { return tensor * context; }
  ScheduleShape schedule_shape() const;
};

/// Layers of an architecture in the order of the pipeline: an encoder's, then the decoder's.
std::int64_t pipeline_layers(const llm::Architecture& model);

/// Layers of each chunk, in the order of the model. `layout` has passed check_layout.
std::vector<std::int64_t> layers_of_chunks(const llm::Architecture& model, const Layout& layout);

/// Reports every rule that a layout breaks: sizes of at least 1; heads, feed-forward width and KV heads over tensor parallelism; layers over chunks
/// (or a list that adds up, no chunk empty); the global batch over data parallelism and microbatches; the sequence over context parallelism; experts
/// over expert parallelism, which must divide data x context; the sequence against learned positions.
void check_layout(const llm::Architecture& model, const Layout& layout, const Place& place, config::Diagnostics& diagnostics);

}  // namespace joulecast::training
