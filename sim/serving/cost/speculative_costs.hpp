#pragma once

#include <memory>

#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "serving/cost/pool_costs.hpp"

namespace joulecast::serving {

/// What an EAGLE head is priced as: one layer of the model and its vocabulary layer.
llm::Architecture eagle_head(llm::Architecture model);

/// Steps of speculative decoding: the model verifies all tokens of a step together (`model_costs`, whose decode steps have k + 1 tokens a sequence), then the
/// draft proposes k tokens a sequence one after another; it computes prompts too. The host's cost of a step is paid once. `draft` is null for n-grams, whose
/// look-up costs the GPU nothing. Everything is modelled: an acceptance rate is an assumption, and no run with speculation was compared.
///
/// What it leaves out: the vocabulary layer works on one row a sequence (its weights, not its rows, take its time up to some hundred rows); the attention of
/// k + 1 queries reads KV once, as one does.
std::unique_ptr<StepCosts> speculative_costs(std::unique_ptr<StepCosts> model_costs, std::unique_ptr<StepCosts> draft, std::int64_t drafted);

}  // namespace joulecast::serving
