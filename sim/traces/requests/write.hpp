#pragma once

#include <iosfwd>

#include "traces/requests/request.hpp"

namespace joulecast::traces {

/// Writes all requests of a stream in the format "joulecast": one JSON object a line with arrival_ns, input_tokens and output_tokens, and, where
/// they are not 0, cached_tokens, conversation, and the prompt's full blocks (block_tokens, and blocks: a number a block, equal where the path to
/// it is shared). Read back, they are the same requests with the same nodes and conversations, if the stream is one round of one trace whose file
/// was in the order of arrival; else the nodes may have other numbers. Returns how many.
std::uint64_t write_requests(RequestStream& requests, std::ostream& out);

}  // namespace joulecast::traces
