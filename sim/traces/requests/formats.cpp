#include "traces/requests/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "config/node.hpp"

namespace joulecast::traces {
namespace {

const std::vector<std::string>& later_formats() {
  static const std::vector<std::string> names = {"azure-2024", "azure-2025", "burstgpt",  "mooncake", "qwen-bailian",
                                                 "ragpulse",   "sharegpt",   "splitwise", "vidur"};
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); }

}  // namespace

const std::vector<std::string>& trace_formats() {
  static const std::vector<std::string> names = {"azure", "csv", "vllm-bench"};
  return names;
}

std::optional<UserFault> check_format(const std::string& format, const Place& place) {
  if (holds(trace_formats(), format)) return std::nullopt;
  const std::string known = fmt::format("{}", fmt::join(trace_formats(), ", "));
  if (holds(later_formats(), format)) {
    return UserFault{place, fmt::format("trace format \"{}\" is not yet supported", format),
                     fmt::format("supported: {}; \"csv\" reads any CSV whose columns it is told", known)};
  }
  const std::string near = config::nearest(format, trace_formats());
  return UserFault{place, fmt::format("unknown trace format \"{}\"", format),
                   near.empty() ? fmt::format("known: {}", known) : fmt::format("is \"{}\" meant? known: {}", near, known)};
}

std::unique_ptr<TraceReader> make_reader(TextLines lines, const TraceOptions& options) {
  if (auto fault = check_format(options.format, options.place)) throw UserError({std::move(*fault)});
  if (options.format == "azure") return read_azure(std::move(lines));
  if (options.format == "vllm-bench") return read_vllm_bench(std::move(lines));
  if (!options.columns || options.time_unit.empty()) {
    throw UserError(options.place, "format \"csv\" needs columns and time_unit",
                    "add columns = { arrival = \"...\", input = \"...\", output = \"...\" } and time_unit = \"s\"");
  }
  return read_plain_csv(std::move(lines), *options.columns, options.time_unit);
}

}  // namespace joulecast::traces
