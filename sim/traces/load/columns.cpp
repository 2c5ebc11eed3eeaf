#include "traces/load/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace joulecast::traces {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Known {
  std::string_view name;
  LoadMember member;
};
/// vLLM's metrics (docs/usage/metrics: V1, and the names before 0.8), and short names of one's own.
constexpr Known kKnown[] = {{"num_requests_running", &EngineLoad::running},
                            {"running", &EngineLoad::running},
                            {"num_requests_waiting", &EngineLoad::waiting},
                            {"waiting", &EngineLoad::waiting},
                            {"kv_cache_usage_perc", &EngineLoad::kv_usage},
                            {"gpu_cache_usage_perc", &EngineLoad::kv_usage},
                            {"prompt_tokens_total", &EngineLoad::prompt_tokens},
                            {"generation_tokens_total", &EngineLoad::generation_tokens},
                            {"iteration_tokens_total_count", &EngineLoad::steps},
                            {"step_s", &EngineLoad::step_seconds},
                            {"num_preemptions_total", &EngineLoad::preemptions},
                            {"prefix_cache_queries_total", &EngineLoad::prefix_queries},
                            {"gpu_prefix_cache_queries_total", &EngineLoad::prefix_queries},
                            {"prefix_cache_hits_total", &EngineLoad::prefix_hits},
                            {"gpu_prefix_cache_hits_total", &EngineLoad::prefix_hits}};

}  // namespace

const std::vector<LoadMember>& load_members() {
  static const std::vector<LoadMember> all = {&EngineLoad::running,       &EngineLoad::waiting,           &EngineLoad::kv_usage,
                                              &EngineLoad::prompt_tokens, &EngineLoad::generation_tokens, &EngineLoad::steps,
                                              &EngineLoad::step_seconds,  &EngineLoad::preemptions,       &EngineLoad::prefix_queries,
                                              &EngineLoad::prefix_hits,   &EngineLoad::prompt_rate,       &EngineLoad::generation_rate};
  return all;
}

LoadMember load_member(std::string_view name) {
  for (const std::string_view prefix : {"vllm:", "vllm_"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  for (const Known& known : kKnown) {
    if (known.name == name) return known.member;
  }
  return nullptr;
}

void EngineBuilder::add(std::int64_t time_ns, LoadMember member, double value) {
  const auto& members = load_members();
  values_.resize(members.size());
  if (times_.empty() || times_.back() != time_ns) {
    times_.push_back(time_ns);
    for (auto& each : values_) each.push_back(kMissing);
  }
  const auto at = static_cast<std::size_t>(std::find(members.begin(), members.end(), member) - members.begin());
  values_[at].back() = value;
}

EngineLoad EngineBuilder::finish(const std::string& label, LoadLog& log) {
  EngineLoad load;
  load.label = label;
  const auto out_of_order = std::adjacent_find(times_.begin(), times_.end(), [](std::int64_t a, std::int64_t b) { return b < a; });
  if (out_of_order != times_.end()) {
    throw UserError({log.source.file, 0, 0}, fmt::format("sample {} lies before the one above it", out_of_order - times_.begin() + 2),
                    "sort the log by time");
  }
  load.time_ns = std::move(times_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const bool any = std::any_of(values_[i].begin(), values_[i].end(), [](double v) { return !std::isnan(v); });
    if (any) load.*load_members()[i] = std::move(values_[i]);
  }
  log.source.rows += load.samples();
  return load;
}

}  // namespace joulecast::traces
