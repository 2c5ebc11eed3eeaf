#include "training/stage_profile_costs.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.hpp"

namespace joulecast::training {
namespace {

std::vector<OperatingPoint> points(const std::vector<traces::StageProfileRow>& rows, const StageProfileScale& scale, double share) {
  std::vector<OperatingPoint> of_pass;
  for (const traces::StageProfileRow& row : rows) {
    if (scale.highest_clock && row.clock > *scale.highest_clock) continue;
    OperatingPoint point;
    point.clock = row.clock;
    point.time = FixedTime::from_units(share * scale.time * row.time.si());
    point.energy = FixedEnergy::from_units(share * scale.time * scale.watts * scale.gpus * row.energy.si());
    of_pass.push_back(point);
  }
  return of_pass;
}

}  // namespace

IterationParts costs_of(const traces::StageProfile& profile, const StageProfileScale& scale) {
  IterationParts parts;
  parts.gpus_per_stage = scale.gpus;
  const auto add = [&](const std::vector<traces::StageProfileRow>& rows, double share) {
    parts.costs.push_back(points(rows, scale, share));
    if (parts.costs.back().empty()) {
      throw UserError({profile.file, 0, 0}, fmt::format("no row at or below {:g} MHz", scale.highest_clock->si() / 1e6),
                      "choose a clock that the profile has, or profile lower ones");
    }
    return static_cast<std::int32_t>(parts.costs.size()) - 1;
  };
  for (const traces::StageProfile::Stage& stage : profile.stages) {
    ChunkKinds kinds;
    kinds.forward = add(stage.forward, 1);
    if (scale.split_backward) {
      kinds.backward_input = add(stage.backward, 0.5);
      kinds.backward_weight = add(stage.backward, 0.5);
    } else {
      kinds.backward = add(stage.backward, 1);
    }
    parts.stages.push_back({{kinds}, -1, -1});
    parts.blocking.push_back(scale.gpus * scale.blocking_per_gpu);
  }
  parts.forward_message = parts.backward_message = scale.message;
  return parts;
}

}  // namespace joulecast::training
