#include "validation/trace_totals.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "traces/requests/open.hpp"

namespace joulecast::validation {
namespace {

Comparison totals(const std::string& name, double requests, double input_tokens, double output_tokens) {
  const auto entry = [&](const std::string& figure, const std::string& quantity, double expected, const std::string& unit) {
    return Entry{"traces.azure-2023-" + name + "." + figure, quantity, "AzurePublicDataset", expected, unit, "0", Kind::exact};
  };
  auto compute = [name](const Sources& sources) -> std::optional<std::vector<Ours>> {
    traces::TraceOptions options;
    options.file = sources.data + "/traces/azure-llm/AzureLLMInferenceTrace_" + name + ".csv";
    options.format = "azure";
    if (sources.data.empty() || !std::filesystem::exists(options.file)) return std::nullopt;
    const traces::TraceSummary summary = traces::summarize(options);
    return std::vector<Ours>{
        {static_cast<double>(summary.requests)}, {static_cast<double>(summary.input_tokens)}, {static_cast<double>(summary.output_tokens)}};
  };
  return {{entry("requests", "rows", requests, "requests"), entry("input_tokens", "sum", input_tokens, "tokens"),
           entry("output_tokens", "sum", output_tokens, "tokens")},
          std::move(compute)};
}

}  // namespace

std::vector<Comparison> azure_traces() { return {totals("code", 8819, 18059974, 245896), totals("conv", 19366, 22361870, 4088665)}; }

}  // namespace joulecast::validation
