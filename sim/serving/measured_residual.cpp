#include "serving/measured_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "serving/steady_batch.hpp"

namespace joulecast::serving {

namespace {

/// The engine where the batch and its prompts of a step fit.
EngineConfig taking_in(EngineConfig engine, const hardware::MeasuredSteps& measured) {
  for (const auto& each : measured.points) {
    const auto steady = SteadyBatch::of(each.batch, each.prompt_tokens, each.output_tokens);
    const auto prompts = static_cast<std::int64_t>(std::ceil(steady.prompts_a_step)) + 1;
    const auto prompt = static_cast<std::int64_t>(std::ceil(each.prompt_tokens));
    engine.max_num_seqs = std::max(engine.max_num_seqs, steady.sequences + prompts);
    engine.max_num_batched_tokens = std::max(engine.max_num_batched_tokens, steady.sequences + prompts * prompt);
    engine.max_model_len = std::max(engine.max_model_len, static_cast<std::int64_t>(std::ceil(each.prompt_tokens + each.output_tokens)));
  }
  return engine;
}

}  // namespace

hardware::ServingResidual measured_residual(const hardware::MeasuredSteps& measured, const hardware::GpuProfile& gpu, EngineConfig engine,
                                            const CostsAt& costs) {
  OperatingPoint point = default_point(gpu);
  point.cap = Watts(std::numeric_limits<double>::infinity());
  const auto predicted = costs(point, taking_in(std::move(engine), measured));
  std::vector<hardware::ServingPoint> points;
  for (const auto& each : measured.points) {
    const SteadyCost cost = steady_cost(*predicted, SteadyBatch::of(each.batch, each.prompt_tokens, each.output_tokens));
    points.push_back({each.batch, each.step_time.si() / cost.total_seconds(), each.watts.si() * cost.total_seconds() / cost.total_joules()});
  }
  return hardware::ServingResidual(std::move(points));
}

}  // namespace joulecast::serving
