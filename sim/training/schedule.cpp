#include "training/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace joulecast::training {

namespace {

constexpr std::array<std::string_view, kScheduleKinds> kNames = {"gpipe", "1f1b", "interleaved", "zb-h1"};

std::vector<Step> gpipe_stage(std::int32_t microbatches) {
  std::vector<Step> steps;
  for (std::int32_t m = 0; m < microbatches; ++m) steps.push_back({Pass::forward, 0, m});
  for (std::int32_t m = microbatches; m-- > 0;) steps.push_back({Pass::backward, 0, m});
  return steps;
}

std::vector<Step> one_f_one_b_stage(std::int32_t stages, std::int32_t stage, std::int32_t microbatches) {
  const std::int32_t warm_up = std::min(microbatches, stages - 1 - stage);
  std::vector<Step> steps;
  for (std::int32_t m = 0; m < warm_up; ++m) steps.push_back({Pass::forward, 0, m});
  for (std::int32_t m = 0; m < microbatches; ++m) {
    if (warm_up + m < microbatches) steps.push_back({Pass::forward, 0, warm_up + m});
    steps.push_back({Pass::backward, 0, m});
  }
  return steps;
}

/// Weight gradients lag `stage` microbatches behind the input gradients: as many as the stage may hold beyond its own warm-up without more
/// activations in flight than the first stage has.
std::vector<Step> zero_bubble_stage(std::int32_t stages, std::int32_t stage, std::int32_t microbatches) {
  const std::int32_t warm_up = std::min(microbatches, stages - 1 - stage);
  std::vector<Step> steps;
  for (std::int32_t m = 0; m < warm_up; ++m) steps.push_back({Pass::forward, 0, m});
  std::int32_t weights = 0;
  for (std::int32_t m = 0; m < microbatches; ++m) {
    if (warm_up + m < microbatches) steps.push_back({Pass::forward, 0, warm_up + m});
    steps.push_back({Pass::backward_input, 0, m});
    if (m >= stage) steps.push_back({Pass::backward_weight, 0, weights++});
  }
  while (weights < microbatches) steps.push_back({Pass::backward_weight, 0, weights++});
  return steps;
}

/// Groups of `stages` microbatches go through a stage's chunks in turn, backwards through them in reverse.
std::vector<Step> interleaved_stage(const ScheduleShape& shape, std::int32_t stage) {
  const std::int32_t total = shape.microbatches * shape.chunks;
  const auto step = [&](Pass pass, std::int32_t k) {
    const std::int32_t forward_chunk = k / shape.stages % shape.chunks;
    const std::int32_t chunk = pass == Pass::forward ? forward_chunk : shape.chunks - 1 - forward_chunk;
    return Step{pass, chunk, k / (shape.stages * shape.chunks) * shape.stages + k % shape.stages};
  };
  const std::int32_t warm_up = std::min(total, 2 * (shape.stages - 1 - stage) + (shape.chunks - 1) * shape.stages);
  std::vector<Step> steps;
  for (std::int32_t k = 0; k < warm_up; ++k) steps.push_back(step(Pass::forward, k));
  for (std::int32_t k = 0; k < total; ++k) {
    if (warm_up + k < total) steps.push_back(step(Pass::forward, warm_up + k));
    steps.push_back(step(Pass::backward, k));
  }
  return steps;
}

void check_shape(ScheduleKind kind, const ScheduleShape& shape, const Place& place) {
  if (shape.stages < 1) throw UserError(place, fmt::format("a pipeline of {} stages", shape.stages), "give 1 stage or more");
  if (shape.microbatches < 1) {
    throw UserError(place, fmt::format("an iteration of {} microbatches", shape.microbatches), "give 1 microbatch or more");
  }
  if (kind == ScheduleKind::interleaved) {
    if (shape.chunks < 2) {
      throw UserError(place, fmt::format("an interleaved schedule with {} chunk a stage", shape.chunks), "give 2 chunks or more, or take \"1f1b\"");
    }
    if (shape.microbatches % shape.stages != 0) {
      throw UserError(
          place, fmt::format("{} microbatches cannot be divided among {} stages, as an interleaved schedule needs", shape.microbatches, shape.stages),
          fmt::format("take a multiple of {}, or \"1f1b\"", shape.stages));
    }
  } else if (shape.chunks != 1) {
    throw UserError(place, fmt::format("{} chunks a stage in a {} schedule", shape.chunks, name(kind)), "take \"interleaved\", or 1 chunk");
  }
}

}  // namespace

std::string_view name(ScheduleKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<ScheduleKind> schedule_kind(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ScheduleKind>(found - kNames.begin());
}

Schedule make_schedule(ScheduleKind kind, const ScheduleShape& shape, const Place& place) {
  check_shape(kind, shape, place);
  Schedule schedule;
  for (std::int32_t stage = 0; stage < shape.stages; ++stage) {
    switch (kind) {
      case ScheduleKind::gpipe:
        schedule.push_back(gpipe_stage(shape.microbatches));
        break;
      case ScheduleKind::one_f_one_b:
        schedule.push_back(one_f_one_b_stage(shape.stages, stage, shape.microbatches));
        break;
      case ScheduleKind::interleaved:
        schedule.push_back(interleaved_stage(shape, stage));
        break;
      case ScheduleKind::zero_bubble_h1:
        schedule.push_back(zero_bubble_stage(shape.stages, stage, shape.microbatches));
        break;
    }
  }
  return schedule;
}

double peak_in_flight(const std::vector<Step>& stage, std::int32_t chunks) {
  std::int32_t held = 0, peak = 0;
  const bool split = std::any_of(stage.begin(), stage.end(), [](const Step& step) { return step.pass == Pass::backward_weight; });
  const Pass last = split ? Pass::backward_weight : Pass::backward;
  for (const Step& step : stage) {
    if (step.pass == Pass::forward) peak = std::max(peak, ++held);
    if (step.pass == last) --held;
  }
  return static_cast<double>(peak) / chunks;
}

}  // namespace joulecast::training
