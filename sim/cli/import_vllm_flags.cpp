#include "cli/import_vllm_flags.hpp"

#include <algorithm>
#include <utility>

namespace joulecast::cli {

namespace {

using Takes = VllmFlag::Takes;
using Effect = VllmFlag::Effect;

constexpr VllmFlag kFlags[] = {
    {"tensor-parallel-size", Takes::value, Effect::expressed},
    {"data-parallel-size", Takes::value, Effect::expressed},
    {"max-num-seqs", Takes::value, Effect::expressed},
    {"max-num-batched-tokens", Takes::value, Effect::expressed},
    {"max-model-len", Takes::value, Effect::expressed},
    {"block-size", Takes::value, Effect::expressed},
    {"num-gpu-blocks-override", Takes::value, Effect::expressed},
    {"gpu-memory-utilization", Takes::value, Effect::expressed},
    {"enable-prefix-caching", Takes::nothing, Effect::expressed},
    {"enable-chunked-prefill", Takes::nothing, Effect::expressed},
    {"enable-expert-parallel", Takes::nothing, Effect::expressed},
    {"async-scheduling", Takes::nothing, Effect::expressed},
    {"model", Takes::value, Effect::expressed},
    {"served-model-name", Takes::words, Effect::expressed},

    {"pipeline-parallel-size", Takes::value, Effect::lost},
    {"decode-context-parallel-size", Takes::value, Effect::lost},
    {"prefill-context-parallel-size", Takes::value, Effect::lost},
    {"data-parallel-size-local", Takes::value, Effect::lost},
    {"data-parallel-rank", Takes::value, Effect::lost},
    {"data-parallel-start-rank", Takes::value, Effect::lost},
    {"data-parallel-backend", Takes::value, Effect::lost},
    {"data-parallel-hybrid-lb", Takes::nothing, Effect::lost},
    {"data-parallel-external-lb", Takes::nothing, Effect::lost},
    {"nnodes", Takes::value, Effect::lost},
    {"node-rank", Takes::value, Effect::lost},
    {"quantization", Takes::value, Effect::lost},
    {"dtype", Takes::value, Effect::lost},
    {"kv-cache-dtype", Takes::value, Effect::lost},
    {"kv-cache-memory-bytes", Takes::value, Effect::lost},
    {"kv-offloading-size", Takes::value, Effect::lost},
    {"kv-offloading-backend", Takes::value, Effect::lost},
    {"calculate-kv-scales", Takes::nothing, Effect::lost},
    {"cpu-offload-gb", Takes::value, Effect::lost},
    {"swap-space", Takes::value, Effect::lost},
    {"speculative-config", Takes::value, Effect::lost},
    {"enable-lora", Takes::nothing, Effect::lost},
    {"lora-modules", Takes::words, Effect::lost},
    {"max-loras", Takes::value, Effect::lost},
    {"max-cpu-loras", Takes::value, Effect::lost},
    {"max-lora-rank", Takes::value, Effect::lost},
    {"fully-sharded-loras", Takes::nothing, Effect::lost},
    {"enforce-eager", Takes::nothing, Effect::lost},
    {"compilation-config", Takes::value, Effect::lost},
    {"cuda-graph-sizes", Takes::words, Effect::lost},
    {"cudagraph-capture-sizes", Takes::words, Effect::lost},
    {"max-cudagraph-capture-size", Takes::value, Effect::lost},
    {"max-seq-len-to-capture", Takes::value, Effect::lost},
    {"disable-custom-all-reduce", Takes::nothing, Effect::lost},
    {"disable-cascade-attn", Takes::nothing, Effect::lost},
    {"disable-sliding-window", Takes::nothing, Effect::lost},
    {"disable-hybrid-kv-cache-manager", Takes::nothing, Effect::lost},
    {"disable-chunked-mm-input", Takes::nothing, Effect::lost},
    {"attention-backend", Takes::value, Effect::lost},
    {"attention-config", Takes::value, Effect::lost},
    {"all2all-backend", Takes::value, Effect::lost},
    {"enable-dbo", Takes::nothing, Effect::lost},
    {"ubatch-size", Takes::value, Effect::lost},
    {"enable-eplb", Takes::nothing, Effect::lost},
    {"eplb-config", Takes::value, Effect::lost},
    {"expert-placement-strategy", Takes::value, Effect::lost},
    {"scheduling-policy", Takes::value, Effect::lost},
    {"scheduler-cls", Takes::value, Effect::lost},
    {"max-num-partial-prefills", Takes::value, Effect::lost},
    {"max-long-partial-prefills", Takes::value, Effect::lost},
    {"long-prefill-token-threshold", Takes::value, Effect::lost},
    {"num-lookahead-slots", Takes::value, Effect::lost},
    {"kv-transfer-config", Takes::value, Effect::lost},
    {"ec-transfer-config", Takes::value, Effect::lost},
    {"kv-events-config", Takes::value, Effect::lost},
    {"limit-mm-per-prompt", Takes::value, Effect::lost},
    {"mm-processor-kwargs", Takes::value, Effect::lost},
    {"mm-processor-cache-gb", Takes::value, Effect::lost},
    {"mm-encoder-tp-mode", Takes::value, Effect::lost},
    {"enable-sleep-mode", Takes::nothing, Effect::lost},
    {"hf-overrides", Takes::value, Effect::lost},
    {"additional-config", Takes::value, Effect::lost},
    {"optimization-level", Takes::value, Effect::lost},
    {"performance-mode", Takes::value, Effect::lost},
    {"config", Takes::value, Effect::lost},

    {"host"},
    {"port"},
    {"uds"},
    {"root-path"},
    {"api-key", Takes::words},
    {"uvicorn-log-level"},
    {"log-config-file"},
    {"max-log-len"},
    {"allowed-origins"},
    {"allowed-methods"},
    {"allowed-headers"},
    {"allow-credentials", Takes::nothing},
    {"ssl-keyfile"},
    {"ssl-certfile"},
    {"ssl-ca-certs"},
    {"ssl-cert-reqs"},
    {"enable-ssl-refresh", Takes::nothing},
    {"middleware"},
    {"chat-template"},
    {"chat-template-content-format"},
    {"response-role"},
    {"tool-call-parser"},
    {"tool-parser-plugin"},
    {"tool-server"},
    {"reasoning-parser"},
    {"reasoning-parser-plugin"},
    {"structured-outputs-config"},
    {"guided-decoding-backend"},
    {"logits-processors", Takes::words},
    {"logits-processor-pattern"},
    {"max-logprobs"},
    {"logprobs-mode"},
    {"generation-config"},
    {"override-generation-config"},
    {"default-chat-template-kwargs"},
    {"tokenizer"},
    {"tokenizer-mode"},
    {"tokenizer-revision"},
    {"revision"},
    {"code-revision"},
    {"hf-token"},
    {"hf-config-path"},
    {"config-format"},
    {"load-format"},
    {"download-dir"},
    {"model-loader-extra-config"},
    {"safetensors-load-strategy"},
    {"ignore-patterns", Takes::words},
    {"allowed-local-media-path"},
    {"allowed-media-domains", Takes::words},
    {"media-io-kwargs"},
    {"seed"},
    {"runner"},
    {"convert"},
    {"task"},
    {"model-impl"},
    {"distributed-executor-backend"},
    {"max-parallel-loading-workers"},
    {"master-addr"},
    {"master-port"},
    {"data-parallel-address"},
    {"data-parallel-rpc-port"},
    {"api-server-count"},
    {"stream-interval"},
    {"prefix-caching-hash-algo"},
    {"otlp-traces-endpoint"},
    {"collect-detailed-traces", Takes::words},
    {"show-hidden-metrics-for-version"},
    {"profiler-config"},
    {"trust-remote-code", Takes::nothing},
    {"trust-request-chat-template", Takes::nothing},
    {"skip-tokenizer-init", Takes::nothing},
    {"use-tqdm-on-load", Takes::nothing},
    {"enable-prompt-embeds", Takes::nothing},
    {"enable-log-requests", Takes::nothing},
    {"enable-log-outputs", Takes::nothing},
    {"disable-log-requests", Takes::nothing},
    {"disable-log-stats", Takes::nothing},
    {"disable-uvicorn-access-log", Takes::nothing},
    {"disable-fastapi-docs", Takes::nothing},
    {"disable-frontend-multiprocessing", Takes::nothing},
    {"enable-request-id-headers", Takes::nothing},
    {"enable-auto-tool-choice", Takes::nothing},
    {"exclude-tools-when-tool-choice-none", Takes::nothing},
    {"return-tokens-as-token-ids", Takes::nothing},
    {"enable-prompt-tokens-details", Takes::nothing},
    {"enable-server-load-tracking", Takes::nothing},
    {"enable-force-include-usage", Takes::nothing},
    {"enable-tokenizer-info-endpoint", Takes::nothing},
    {"h11-max-incomplete-event-size"},
    {"h11-max-header-count"},
    {"headless", Takes::nothing},
    {"kv-cache-metrics", Takes::nothing},
    {"cudagraph-metrics", Takes::nothing},
    {"enable-mfu-metrics", Takes::nothing},
};

constexpr std::pair<std::string_view, std::string_view> kShort[] = {{"-tp", "tensor-parallel-size"},
                                                                    {"-pp", "pipeline-parallel-size"},
                                                                    {"-dp", "data-parallel-size"},
                                                                    {"-dpl", "data-parallel-size-local"},
                                                                    {"-dpn", "data-parallel-rank"},
                                                                    {"-dpr", "data-parallel-start-rank"},
                                                                    {"-dpa", "data-parallel-address"},
                                                                    {"-dpp", "data-parallel-rpc-port"},
                                                                    {"-dpb", "data-parallel-backend"},
                                                                    {"-dph", "data-parallel-hybrid-lb"},
                                                                    {"-dpe", "data-parallel-external-lb"},
                                                                    {"-dcp", "decode-context-parallel-size"},
                                                                    {"-pcp", "prefill-context-parallel-size"},
                                                                    {"-ep", "enable-expert-parallel"},
                                                                    {"-asc", "api-server-count"},
                                                                    {"-n", "nnodes"},
                                                                    {"-r", "node-rank"},
                                                                    {"-q", "quantization"},
                                                                    {"-sc", "speculative-config"},
                                                                    {"-cc", "compilation-config"},
                                                                    {"-ac", "attention-config"},
                                                                    {"-O", "optimization-level"}};

const VllmFlag* named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFlags), std::end(kFlags), [&](const VllmFlag& flag) { return flag.name == name; });
  return found == std::end(kFlags) ? nullptr : found;
}

}  // namespace

const VllmFlag* find_vllm_flag(std::string_view word, bool& negated) {
  negated = false;
  std::string name(word.substr(0, word.find('.')));
  if (!name.starts_with("--")) {
    for (const auto& [brief, full] : kShort) {
      if (name == brief) return named(full);
    }
    return nullptr;
  }
  name.erase(0, 2);
  std::replace(name.begin(), name.end(), '_', '-');
  if (const VllmFlag* flag = named(name)) return flag;
  if (!name.starts_with("no-")) return nullptr;
  const VllmFlag* flag = named(std::string_view(name).substr(3));
  negated = flag != nullptr && flag->takes == Takes::nothing;
  return negated ? flag : nullptr;
}

std::vector<std::string> vllm_flag_names() {
  std::vector<std::string> names;
  for (const VllmFlag& flag : kFlags) names.push_back("--" + std::string(flag.name));
  return names;
}

}  // namespace joulecast::cli
