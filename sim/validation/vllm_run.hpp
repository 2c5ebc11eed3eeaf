#pragma once

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Llama-3.1-8B on an RTX 4090, vLLM 0.19: the published requests replayed through the rules of a replica with the measured layer times, nothing fitted.
/// Mean TTFT (first token - queued), TPOT (a request's time after the first token over its further tokens) and E2E (last token - queued) over
/// all requests, seconds. Needs serving/vllm-runs and ops/vllm-layers in the folder of measured data.
Comparison rtx4090_llama_8b();

}  // namespace joulecast::validation
