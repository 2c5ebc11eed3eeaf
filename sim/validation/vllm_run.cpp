#include "validation/vllm_run.hpp"

#include <filesystem>

#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::validation {
namespace {

namespace fs = std::filesystem;

std::optional<std::vector<Ours>> replay(const Sources& sources) {
  const fs::path requests = fs::path(sources.data) / "serving/vllm-runs/RTX4090/Llama-3.1-8B/requests.jsonl";
  const fs::path layers = fs::path(sources.data) / "ops/vllm-layers/RTX4090/meta-llama/Llama-3.1-8B/bf16/tp1";
  if (sources.data.empty() || !fs::exists(requests) || !fs::exists(layers)) return std::nullopt;

  scenario::LoadOptions options;
  options.share_dir = sources.share;
  options.sets = {"traffic.chat.requests={ file = '" + fs::absolute(requests).string() + "', format = 'vllm-bench' }", "time.at_end='drain'",
                  "time.warmup='0 s'", "time.duration='1 h'"};
  scenario::Scenario scenario = scenario::load(sources.share + "/scenarios/rtx4090-chat.toml", options);
  // The profile ships knots of the layer times; the comparison reads the whole tables.
  for (scenario::Cluster& cluster : scenario.clusters) cluster.gpu.tables.layers = {layers.string()};
  const scenario::Result result = scenario::simulate(scenario, {});
  const scenario::TrafficResult& traffic = result.traffics.front();
  return std::vector<Ours>{{traffic.ttft_s.mean}, {traffic.tpot_s.mean}, {traffic.e2e_s.mean}};
}

}  // namespace

Comparison rtx4090_llama_8b() {
  const char* source = "vLLM 0.19 run, requests.jsonl (first token - queued; tokens after the first; last - queued)";
  return {{{"serving.vllm.rtx4090-llama-3.1-8b.ttft_mean", "mean TTFT, nothing fitted", source, 65.4566, "s", "8 %", Kind::measured},
           {"serving.vllm.rtx4090-llama-3.1-8b.tpot_mean", "mean TPOT, nothing fitted", source, 0.0324466, "s", "3 %", Kind::measured},
           {"serving.vllm.rtx4090-llama-3.1-8b.e2e_mean", "mean E2E, nothing fitted", source, 86.5783, "s", "4 %", Kind::measured}},
          replay};
}

}  // namespace joulecast::validation
