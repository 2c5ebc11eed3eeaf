#include "scenario/resolved.hpp"

namespace joulecast::scenario {

namespace {

void put_schedule(const TrainingJob& job, TomlWriter& writer) {
  if (job.own_schedule.empty()) {
    writer.text("schedule", std::string(training::name(job.schedule)));
    return;
  }
  config::Node::Array lines;
  for (const auto& line : job.own_schedule) lines.emplace_back(config::Node::Value(line), Place{});
  writer.put("schedule", std::move(lines));
}

void put_sizes(const training::Layout& layout, TomlWriter& writer) {
  writer.text("method", std::string(training::name(layout.method)));
  if (layout.method == training::Method::lora) writer.number("lora_rank", layout.lora_rank);
  writer.number("tensor_parallel_size", layout.tensor)
      .number("pipeline_parallel_size", layout.pipeline)
      .number("context_parallel_size", layout.context)
      .number("expert_parallel_size", layout.expert)
      .number("virtual_pipeline_parallel_size", layout.virtual_chunks);
  if (!layout.layers_of.empty()) {
    config::Node::Array layers;
    for (const std::int64_t each : layout.layers_of) layers.emplace_back(config::Node::Value(each), Place{});
    writer.put("layers", std::move(layers));
  }
  writer.number("global_batch_size", layout.global_batch_size)
      .number("micro_batch_size", layout.micro_batch_size)
      .number("seq_length", layout.seq_length)
      .text("recompute", std::string(training::name(layout.recompute)))
      .flag("sequence_parallel", layout.sequence_parallel)
      .flag("flash_attention", layout.flash_attention)
      .flag("distributed_optimizer", layout.distributed_optimizer)
      .flag("overlap_p2p", layout.overlap_p2p)
      .flag("overlap_grad_reduce", layout.overlap_grad_reduce);
}

}  // namespace

TomlWriter resolved_job(const Scenario& scenario, const TrainingJob& job) {
  const auto& gpu = scenario.clusters[job.cluster].gpu;
  TomlWriter writer;
  writer.text("cluster", scenario.clusters[job.cluster].name).number("gpus", job.gpus()).quantity("start", job.start.seconds(), "s");
  if (!job.model_name.empty()) writer.text("model", job.model_path.empty() ? job.model->name : job.model_path);
  put_sizes(job.layout, writer);
  writer.number("train_iters", job.iterations);
  put_schedule(job, writer);
  if (job.clock) {
    writer.quantity("sm_clock", job.clock->si(), "Hz");
  } else {
    writer.text("sm_clock", job.clock_policy.empty() ? "auto" : resolved_clock_policy(job));
  }
  writer.quantity("gpu_power_limit", (job.power_limit ? *job.power_limit : gpu.power_limit.standard.value).si(), "W")
      .real("speed_factor", job.speed_factor)
      .real("jitter", job.jitter);
  TomlWriter stragglers;
  for (const Straggler& each : job.stragglers) {
    TomlWriter straggler;
    straggler.number("replica", each.replica);
    if (each.stage) straggler.number("stage", *each.stage);
    straggler.real("speed_factor", each.speed_factor);
    stragglers.table(each.name, std::move(straggler));
  }
  if (!job.stragglers.empty()) writer.table("straggler", std::move(stragglers));
  if (job.profile) {
    TomlWriter profile;
    profile.text("file", absolute(job.profile->path)).real("time_scale", job.profile->time_scale);
    if (job.profile->blocking) profile.quantity("blocking", job.profile->blocking->si(), "W");
    writer.table("stage_profile", std::move(profile));
  }
  return writer;
}

}  // namespace joulecast::scenario
