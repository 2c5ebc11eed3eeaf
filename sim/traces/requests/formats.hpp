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

/// Azure LLM inference traces of 2023, 2024 and (multimodal) 2025: TIMESTAMP (a date and time, with or without offset; 100 ns are kept),
/// ContextTokens, GeneratedTokens; further columns (NumImages: a picture's tokens are among the ContextTokens) are passed over.
std::unique_ptr<TraceReader> read_azure(TextLines lines);

/// BurstGPT 1 to 3: Timestamp in seconds, Request tokens, Response tokens (0: the request failed), and, where there is one, the Session ID as the
/// conversation.
std::unique_ptr<TraceReader> read_burstgpt(TextLines lines);

/// A CSV with a declared mapping; `unit` as in TraceOptions::time_unit.
std::unique_ptr<TraceReader> read_plain_csv(TextLines lines, const TraceColumns& columns, const std::string& unit);

/// Our own JSON Lines, as `write_requests` writes them: arrivals in nanoseconds.
std::unique_ptr<TraceReader> read_joulecast(TextLines lines);

/// Mooncake: JSON Lines with timestamp in milliseconds, input_length, output_length and hash_ids of blocks of 512 prompt tokens.
std::unique_ptr<TraceReader> read_mooncake(TextLines lines);

/// Qwen-Bailian: JSON Lines with timestamp in seconds, input_length, output_length, hash_ids of blocks of 16 prompt tokens; a turn's chat_id and that
/// of the turn before it, parent_chat_id (-1: none), are followed to the conversation's first.
std::unique_ptr<TraceReader> read_qwen_bailian(TextLines lines);

/// splitwise-sim: arrival_timestamp in seconds, prompt_size, token_size; request_type must be 2 and batch_size 1.
std::unique_ptr<TraceReader> read_splitwise_sim(TextLines lines);

/// vidur: arrived_at in seconds, num_prefill_tokens, num_decode_tokens, or the older names Time, PromptTokenCount, GeneratedTokenCount.
std::unique_ptr<TraceReader> read_vidur(TextLines lines);
/// The same without arrivals (vidur's files of lengths alone): all rows at 0.
std::unique_ptr<TraceReader> read_vidur_lengths(TextLines lines);

/// One JSON object a request: input_toks, output_toks, arrival_time in Unix seconds.
std::unique_ptr<TraceReader> read_vllm_bench(TextLines lines);

/// What a trace is read for: its lengths alone need no arrivals.
enum class TraceUse : std::uint8_t { replay, lengths };

/// The formats that `make_reader` knows.
const std::vector<std::string>& trace_formats();
/// Why a format cannot be read: unknown (with the nearest) or of later work.
std::optional<UserFault> check_format(const std::string& format, const Place& place);
/// The reader of `options.format`; UserError for one that `check_format` refuses, or a "csv" without mapping.
std::unique_ptr<TraceReader> make_reader(TextLines lines, const TraceOptions& options, TraceUse use = TraceUse::replay);

}  // namespace joulecast::traces
