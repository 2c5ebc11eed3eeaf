#include <utility>

#include "traces/requests/formats.hpp"
#include "traces/requests/json_trace.hpp"

namespace joulecast::traces {

std::unique_ptr<TraceReader> read_vllm_bench(TextLines lines) {
  JsonShape shape;
  shape.arrival = "arrival_time";
  shape.input = "input_toks";
  shape.output = "output_toks";
  shape.arrival_words = "a number of Unix seconds";
  shape.has_dates = true;
  return std::make_unique<JsonTrace>(std::move(lines), std::move(shape));
}

}  // namespace joulecast::traces
