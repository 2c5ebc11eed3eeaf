#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "config/node.hpp"
#include "hardware/node.hpp"
#include "hardware/profiles.hpp"
#include "llm/architecture.hpp"
#include "study/recorded_run.hpp"

namespace joulecast::study {

namespace {

Place meta_of(const traces::RecordedRun& run) { return {run.folder + "/meta.json", 0, 0}; }

/// The first node profile, by name, whose GPU is the one of `gpu`'s file.
std::string node_with(const std::string& gpu_path, const std::string& share) {
  const std::string gpus = hardware::gpu_folder(share);
  for (const hardware::ProfileEntry& entry : hardware::list_profiles(hardware::node_folder(share))) {
    config::Diagnostics diagnostics;
    const hardware::NodeProfile node = hardware::load_node(entry.path, diagnostics);
    diagnostics.throw_if_failed();
    if (std::filesystem::equivalent(hardware::find_profile(gpus, "GPU", node.gpu, {entry.path, 0, 0}), gpu_path)) return node.name;
  }
  throw UserError({gpu_path, 0, 0}, "no node profile has this GPU", "name a node with --node, or write a profile for one");
}

std::string node_of(const traces::RecordedRun& run, const ReplaySettings& settings) {
  if (!settings.node.empty()) return settings.node;
  const std::string gpu = settings.gpu.empty() ? run.device : settings.gpu;
  if (gpu.empty()) throw UserError(meta_of(run), "the run does not say which GPU it had", "name it with --gpu-name");
  return node_with(hardware::find_profile(hardware::gpu_folder(settings.share), "GPU", gpu, meta_of(run)), settings.share);
}

void check_types(const traces::RecordedRun& run) {
  std::vector<UserFault> faults;
  for (const auto& [key, type] : {std::pair{"dtype", run.dtype}, std::pair{"kv_cache_dtype", run.kv_cache_dtype}}) {
    if (type == "auto" || type == "bfloat16" || type == "float16") continue;
    faults.push_back({meta_of(run), fmt::format("{} \"{}\" can't be replayed", key, type), "auto, bfloat16 and float16 can"});
  }
  if (!faults.empty()) throw UserError(std::move(faults));
}

}  // namespace

std::string recorded_scenario(const traces::RecordedRun& run, const ReplaySettings& settings) {
  check_types(run);
  const std::string node = node_of(run, settings);
  config::Diagnostics diagnostics;
  const std::string model_path = hardware::find_profile(hardware::model_folder(settings.share), "model", run.model, meta_of(run));
  const llm::Architecture model = llm::load_architecture(model_path, diagnostics);
  diagnostics.throw_if_failed();
  // The ranks of a dense model do not know of each other; those of a mixture share its experts.
  const bool replicas = !model.experts && run.data_parallel_size > 1;

  std::string engine = fmt::format("max_num_seqs = {}\nmax_num_batched_tokens = {}\n", run.max_num_seqs, run.max_num_batched_tokens);
  const auto add = [&engine](const char* key, const auto& value) {
    if (value) engine += fmt::format("{} = {}\n", key, *value);
  };
  add("max_model_len", run.max_model_len);
  add("num_gpu_blocks_override", run.num_gpu_blocks);
  add("block_size", run.block_size);
  add("gpu_memory_utilization", run.gpu_memory_utilization);
  add("enable_prefix_caching", run.enable_prefix_caching);
  add("async_scheduling", run.async_scheduling);
  if (run.enable_expert_parallel && model.experts) engine += "enable_expert_parallel = true\n";
  if (run.data_parallel_size > 1 && !replicas) engine += fmt::format("data_parallel_size = {}\n", run.data_parallel_size);
  return fmt::format(
      "schema = 1\nname = {}\nseed = 1\n\n[time]\nwarmup = \"0 s\"\nat_end = \"drain\"\n\n[site.here]\npue = "
      "1.0\n\n[engine.recorded]\n{}\n"
      "[pool.recorded]\nnode = {}\nmodel = {}\nengine = \"recorded\"\ntensor_parallel_size = {}\nreplicas = {}\n\n"
      "[traffic.recorded]\nrequests = {{ file = {}, format = \"vllm-bench\" }}\n",
      config::quoted(std::filesystem::path(run.folder).filename().string() + "-recorded"), engine, config::quoted(node), config::quoted(run.model),
      run.tensor_parallel_size, replicas ? run.data_parallel_size : 1,
      config::quoted(std::filesystem::absolute(run.requests_file()).lexically_normal().string()));
}

}  // namespace joulecast::study
