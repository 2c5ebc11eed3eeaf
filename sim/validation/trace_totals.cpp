#include "validation/trace_totals.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "traces/requests/open.hpp"

namespace joulecast::validation {
namespace {

struct Trace {
  std::string id, source, file, format;
  Kind kind;
  double requests, input_tokens, output_tokens;
};

std::optional<traces::TraceOptions> options_of(const Trace& trace, const Sources& sources) {
  traces::TraceOptions options;
  options.file = sources.data + "/traces/" + trace.file;
  options.format = trace.format;
  if (sources.data.empty() || !std::filesystem::exists(options.file)) return std::nullopt;
  return options;
}

Comparison totals(const Trace& trace) {
  const auto entry = [&](const std::string& figure, const std::string& quantity, double expected, const std::string& unit) {
    return Entry{"traces." + trace.id + "." + figure, quantity, trace.source, expected, unit, "0", trace.kind};
  };
  auto compute = [trace](const Sources& sources) -> std::optional<std::vector<Ours>> {
    const auto options = options_of(trace, sources);
    if (!options) return std::nullopt;
    const traces::TraceSummary summary = traces::summarize(*options);
    return std::vector<Ours>{
        {static_cast<double>(summary.requests)}, {static_cast<double>(summary.input_tokens)}, {static_cast<double>(summary.output_tokens)}};
  };
  return {{entry("requests", "rows", trace.requests, "requests"), entry("input_tokens", "sum", trace.input_tokens, "tokens"),
           entry("output_tokens", "sum", trace.output_tokens, "tokens")},
          std::move(compute)};
}

/// Prompt tokens in full blocks that an earlier prompt began with too.
double shared_tokens(const traces::TraceOptions& options) {
  const auto stream = traces::open_trace(options);
  std::int64_t shared = 0;
  std::vector<bool> seen;
  while (const auto request = stream->next()) {
    const traces::PrefixTree& tree = *stream->prefixes();
    seen.resize(tree.size() + 1);
    traces::PrefixTree::Node node = request->prefix;
    for (; node != 0 && !seen[node]; node = tree.parent(node)) seen[node] = true;
    shared += tree.tokens(node);
  }
  return static_cast<double>(shared);
}

Comparison shared(const Trace& trace, double expected) {
  return {{{"traces." + trace.id + ".shared_tokens", "prompt tokens found in an endless prefix cache", trace.source, expected, "tokens", "0",
            trace.kind}},
          [trace](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto options = options_of(trace, sources);
            if (!options) return std::nullopt;
            return std::vector<Ours>{{shared_tokens(*options)}};
          }};
}

}  // namespace

std::vector<Comparison> trace_totals() {
  const std::string azure = "AzurePublicDataset", azure_file = "azure-llm/AzureLLMInferenceTrace_";
  const Trace mooncake{"mooncake-conversation",
                       "kvcache-ai/Mooncake, counted apart",
                       "mooncake/conversation_trace.jsonl",
                       "mooncake",
                       Kind::regression,
                       7578,
                       94514120,
                       2640049};
  return {totals({"azure-2023-code", azure, azure_file + "code.csv", "azure", Kind::exact, 8819, 18059974, 245896}),
          totals({"azure-2023-conv", azure, azure_file + "conv.csv", "azure", Kind::exact, 19366, 22361870, 4088665}),
          totals(mooncake),
          shared(mooncake, 33655808),
          totals({"vidur-splitwise-code", azure, "vidur/splitwise_code.csv", "vidur", Kind::derived, 8819, 18059974, 245896}),
          totals({"vidur-splitwise-conv", azure, "vidur/splitwise_conv.csv", "vidur", Kind::derived, 19366, 22361870, 4088665})};
}

}  // namespace joulecast::validation
