#pragma once

#include <vector>

#include "validation/registry.hpp"

namespace joulecast::validation {

/// Runs of vLLM 0.19 on cards whose layer times were measured: the published requests replayed with the engine's own arguments through the rules of a
/// replica, nothing fitted. Mean TTFT (first token - queued), TPOT (a request's time after the first token over its further tokens) and E2E (last
/// token - queued) over all requests, seconds. Needs serving/vllm-runs/CARD/RUN and ops/vllm-layers/CARD/MODEL/DTYPE/tpN in the folder of measured data.
std::vector<Comparison> vllm_runs();

/// The same for every further run in that folder whose layer times are there too: expected means are those of its requests.jsonl. Ids are
/// serving.vllm.CARD-RUN, in lower case and without what follows "-instruct". Throws UserError for a run that can't be read.
std::vector<Comparison> further_vllm_runs(const Sources& sources);

}  // namespace joulecast::validation
