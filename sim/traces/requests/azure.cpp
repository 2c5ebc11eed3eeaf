#include <utility>

#include "traces/requests/delimited_trace.hpp"
#include "traces/requests/formats.hpp"

namespace joulecast::traces {

std::unique_ptr<TraceReader> read_azure(TextLines lines) {
  std::vector<Column> columns = {
      {{"TIMESTAMP", "arrival_timestamp"}},
      {{"ContextTokens", "context_tokens", "PromptTokens"}},
      {{"GeneratedTokens", "generated_tokens"}},
  };
  return std::make_unique<DelimitedTrace>(Delimited(std::move(lines), std::move(columns)), DelimitedTrace::Clock::datetime);
}

}  // namespace joulecast::traces
