#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "training/iteration.hpp"

namespace joulecast::training {

/// In which order a stage runs its passes.
enum class ScheduleKind : std::uint8_t {
  gpipe,           ///< all forwards, then all backwards, the last microbatch first (Huang et al.: "GPipe", NeurIPS 2019, figure 2)
  one_f_one_b,     ///< as few microbatches in flight as keep the pipe full (Narayanan et al.: "PipeDream-2BW", ICML 2021: PipeDream-flush)
  interleaved,     ///< 1F1B over several chunks of layers a stage (Narayanan et al.: "Megatron-LM", SC 2021, section 2.2.2)
  zero_bubble_h1,  ///< 1F1B whose weight gradients fill the bubble (Qi et al.: "Zero Bubble Pipeline Parallelism", ICLR 2024, ZB-H1)
};
inline constexpr int kScheduleKinds = 4;
/// "gpipe", "1f1b", "interleaved", "zb-h1".
std::string_view name(ScheduleKind kind);
std::optional<ScheduleKind> schedule_kind(std::string_view name);

/// `chunks`: how many pieces of the model, each of equal depth in the pipeline, a stage holds; 1 but for `interleaved`.
struct ScheduleShape {
  std::int32_t stages = 1, microbatches = 1, chunks = 1;
};

/// One pass of a stage.
struct Step {
  Pass pass = Pass::forward;
  std::int32_t chunk = 0, microbatch = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

/// By stage: the passes in the order in which the stage runs them.
using Schedule = std::vector<std::vector<Step>>;

/// The order of every stage. With F, B the time of a stage's forward and backward pass (B = input + weight part), equal on all stages, and no
/// messages, the iteration of M microbatches over P stages takes
///   gpipe, 1f1b    (M + P - 1) (F + B)
///   interleaved    M (F + B) + (P - 1) (F + B) / chunks
///   zb-h1          M (F + B) + (P - 1) (F + B_input - B_weight)        for M >= P and B_weight <= B_input
/// Throws UserError at `place`: no stage, no microbatch, chunks without `interleaved` or it without chunks, and for `interleaved` microbatches that
/// are not a multiple of the stages.
Schedule make_schedule(ScheduleKind kind, const ScheduleShape& shape, const Place& place = {});

/// Microbatches whose activations a stage holds at once, at most, in units of one microbatch on all the chunks of a stage.
double peak_in_flight(const std::vector<Step>& stage, std::int32_t chunks);

}  // namespace joulecast::training
