#include "traces/requests/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "config/node.hpp"

namespace joulecast::traces {
namespace {

using Read = std::unique_ptr<TraceReader> (*)(TextLines);

struct Format {
  std::string name;
  Read read;  ///< null for "csv", which needs its mapping
};

/// In alphabetical order.
const std::vector<Format>& formats() {
  static const std::vector<Format> all = {{"azure", read_azure},
                                          {"burstgpt", read_burstgpt},
                                          {"csv", nullptr},
                                          {"joulecast", read_joulecast},
                                          {"mooncake", read_mooncake},
                                          {"qwen-bailian", read_qwen_bailian},
                                          {"splitwise-sim", read_splitwise_sim},
                                          {"vidur", read_vidur},
                                          {"vllm-bench", read_vllm_bench}};
  return all;
}

/// Other names under which people know a format.
std::string known_as(const std::string& name) {
  if (name.starts_with("azure")) return "azure";
  if (name.starts_with("burstgpt") || name.starts_with("BurstGPT")) return "burstgpt";
  if (name == "splitwise") return "splitwise-sim";
  if (name == "qwen" || name == "bailian") return "qwen-bailian";
  return config::nearest(name, trace_formats());
}

}  // namespace

const std::vector<std::string>& trace_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Format& format : formats()) list.push_back(format.name);
    return list;
  }();
  return names;
}

std::optional<UserFault> check_format(const std::string& format, const Place& place) {
  const auto& names = trace_formats();
  if (std::find(names.begin(), names.end(), format) != names.end()) return std::nullopt;
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  if (format == "ragpulse" || format == "sharegpt") {
    return UserFault{place, fmt::format("trace format \"{}\" is not supported", format),
                     fmt::format("supported: {}; \"csv\" reads any CSV whose columns it is told", known)};
  }
  const std::string near = known_as(format);
  return UserFault{place, fmt::format("unknown trace format \"{}\"", format),
                   near.empty() ? fmt::format("known: {}", known) : fmt::format("is \"{}\" meant? known: {}", near, known)};
}

std::unique_ptr<TraceReader> make_reader(TextLines lines, const TraceOptions& options, TraceUse use) {
  if (auto fault = check_format(options.format, options.place)) throw UserError({std::move(*fault)});
  const auto format = std::find_if(formats().begin(), formats().end(), [&](const Format& each) { return each.name == options.format; });
  if (use == TraceUse::lengths && format->read == read_vidur) return read_vidur_lengths(std::move(lines));
  if (format->read != nullptr) return format->read(std::move(lines));
  if (!options.columns || options.time_unit.empty()) {
    throw UserError(options.place, "format \"csv\" needs columns and time_unit",
                    "add columns = { arrival = \"...\", input = \"...\", output = \"...\" } and time_unit = \"s\"");
  }
  return read_plain_csv(std::move(lines), *options.columns, options.time_unit);
}

}  // namespace joulecast::traces
