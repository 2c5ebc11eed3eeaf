#pragma once

#include "traces/load/log.hpp"

namespace joulecast::traces {

/// One reader a form; each fills everything but `source.file` and `source.sha256`.
LoadLog read_vllm_metrics(const SeriesText& text, const PowerLogOptions& options);
LoadLog read_engine_csv(const SeriesText& text, const PowerLogOptions& options);
LoadLog read_vllm_log(const SeriesText& text, const PowerLogOptions& options);
LoadLog read_requests_jsonl(const SeriesText& text, const PowerLogOptions& options);

/// Whether a line is one that vLLM's engine logs of its load: "... Avg prompt throughput: ... Running: 3 reqs, ...".
bool is_vllm_log_line(std::string_view line);

}  // namespace joulecast::traces
