#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "traces/requests/options.hpp"
#include "traces/requests/trace_reader.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// Azure LLM inference traces: TIMESTAMP (a date and time; 100 ns are kept), ContextTokens, GeneratedTokens; further columns are passed over.
std::unique_ptr<TraceReader> read_azure(TextLines lines);

/// A CSV with a declared mapping; `unit` as in TraceOptions::time_unit.
std::unique_ptr<TraceReader> read_plain_csv(TextLines lines, const TraceColumns& columns, const std::string& unit);

/// One JSON object a request: input_toks, output_toks, arrival_time in Unix seconds.
std::unique_ptr<TraceReader> read_vllm_bench(TextLines lines);

/// The formats that `make_reader` knows.
const std::vector<std::string>& trace_formats();
/// Why a format cannot be read: unknown (with the nearest) or of later work.
std::optional<UserFault> check_format(const std::string& format, const Place& place);
/// The reader of `options.format`; UserError for one that `check_format` refuses, or a "csv" without mapping.
std::unique_ptr<TraceReader> make_reader(TextLines lines, const TraceOptions& options);

}  // namespace joulecast::traces
