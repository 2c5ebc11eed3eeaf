#include <utility>

#include "traces/requests/formats.hpp"
#include "traces/requests/json_trace.hpp"

namespace joulecast::traces {

std::unique_ptr<TraceReader> read_mooncake(TextLines lines) {
  JsonShape shape;
  shape.arrival = "timestamp";
  shape.input = "input_length";
  shape.output = "output_length";
  shape.exponent = 6;
  shape.arrival_words = "a number of milliseconds";
  shape.hashes = "hash_ids";
  shape.block_tokens = 512;
  return std::make_unique<JsonTrace>(std::move(lines), std::move(shape));
}

}  // namespace joulecast::traces
