#include "scenario/tables/training.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

Record<StageProfileTable> stage_profile_record() {
  Record<StageProfileTable> record("stage_profile");
  record.place(&StageProfileTable::place)
      .required("file", &StageProfileTable::file, Bounds::any(), "CSV of stage,instruction,frequency,time,energy, one GPU of each stage")
      .optional("time_scale", &StageProfileTable::time_scale, "1", Bounds::positive(),
                "the stage's layers over those profiled: multiplies time and energy; all GPUs of a stage draw what the one profiled did")
      .optional("blocking", &StageProfileTable::blocking, "the GPU profile's spin-wait", Bounds::positive(), "what a waiting GPU draws");
  return record;
}

Record<StragglerTable> straggler_record() {
  Record<StragglerTable> record("straggler");
  record.place(&StragglerTable::place)
      .optional("replica", &StragglerTable::replica, "0", Bounds::between(0, 1e6), "which data-parallel replica of the pipeline")
      .optional("stage", &StragglerTable::stage, "all", Bounds::between(0, 1e6), "which of its stages")
      .required("speed_factor", &StragglerTable::speed_factor, Bounds::between(0.01, 1),
                "its speed over that of a sound one: operations take 1/speed_factor the time at the same watts");
  return record;
}

void read_start(TrainingTable& job, const Node& node, Diagnostics& diagnostics) {
  job.start.place = node.place();
  if (const auto* date = node.as<config::DateTime>()) {
    job.start.date = *date;
  } else if (const auto* text = node.as<std::string>()) {
    if (const auto after = config::parse_quantity<Seconds>(*text, node.place(), diagnostics)) job.start.after = *after;
    if (job.start.after.si() < 0) diagnostics.error(node.place(), "a job begins before the run", "write a time from the run's start on");
  } else {
    diagnostics.error(node.place(), "expected a date and time or a time from the run's start on, read " + std::string(node.kind()),
                      "write 2026-03-02T22:00:00+01:00 or \"2 h\"");
  }
}

/// A clock has a digit in front, a policy's name a letter.
void read_clock(TrainingTable& job, const Node& node, Diagnostics& diagnostics) {
  job.sm_clock.place = node.place();
  const auto* text = node.as<std::string>();
  if (text == nullptr || text->empty()) {
    diagnostics.error(node.place(), "expected \"auto\", a clock or a policy, read " + std::string(node.kind()),
                      "write \"auto\", \"1410 MHz\" or a policy's name");
  } else if (text->front() >= '0' && text->front() <= '9') {
    job.sm_clock.lock = config::parse_quantity<Hertz>(*text, node.place(), diagnostics);
  } else if (*text != "auto") {
    job.sm_clock.policy = *text;
  }
}

void read_power_limit(TrainingTable& job, const Node& node, Diagnostics& diagnostics) {
  const auto* text = node.as<std::string>();
  if (text == nullptr) {
    diagnostics.error(node.place(), "expected a power, read " + std::string(node.kind()), "write \"default\" or a string such as \"300 W\"");
  } else if (*text != "default") {
    job.gpu_power_limit = config::parse_quantity<Watts>(*text, node.place(), diagnostics);
    if (job.gpu_power_limit && job.gpu_power_limit->si() <= 0) {
      diagnostics.error(node.place(), "a power limit must be above 0 W", "write \"default\" or a limit that the board allows");
    }
  }
}

void read_schedule(TrainingTable& job, const Node& node, Diagnostics& diagnostics) {
  const std::string remedy = "write \"gpipe\", \"1f1b\", \"interleaved\" or \"zb-h1\", or a list with a line of steps a stage, such as \"F0 B0\"";
  if (const auto* text = node.as<std::string>()) {
    if (const auto kind = training::schedule_kind(*text)) {
      job.schedule = *kind;
    } else {
      diagnostics.error(node.place(), "there is no schedule \"" + *text + "\"", remedy);
    }
  } else if (node.as<Node::Array>() != nullptr) {
    if (auto lines = config::Reads<std::vector<std::string>>::read(node, diagnostics, "schedule")) job.own_schedule = std::move(*lines);
    if (job.own_schedule.empty()) diagnostics.error(node.place(), "a schedule without stages", remedy);
  } else {
    diagnostics.error(node.place(), "expected a schedule, read " + std::string(node.kind()), remedy);
  }
}

Record<TrainingTable>& add_sizes(Record<TrainingTable>& record) {
  const Bounds size = Bounds::between(1, 1e6);
  return record.optional("tensor_parallel_size", &TrainingTable::tensor_parallel_size, "1", size, "GPUs that split each matrix")
      .optional("pipeline_parallel_size", &TrainingTable::pipeline_parallel_size, "1", size, "stages of a pipeline")
      .optional("context_parallel_size", &TrainingTable::context_parallel_size, "1", size, "GPUs that split each sequence")
      .optional("expert_parallel_size", &TrainingTable::expert_parallel_size, "1", size, "data-parallel GPUs over which experts are spread")
      .optional("virtual_pipeline_parallel_size", &TrainingTable::virtual_pipeline_parallel_size, "1", size, "chunks of the model a stage holds")
      .optional("layers", &TrainingTable::layers, "the same number in each", Bounds::between(0, 1e6),
                "layers of each chunk in the order of the model")
      .required("global_batch_size", &TrainingTable::global_batch_size, Bounds::between(1, 1e9), "sequences of an iteration")
      .optional("micro_batch_size", &TrainingTable::micro_batch_size, "1", Bounds::between(1, 1e6), "sequences of a microbatch")
      .required("seq_length", &TrainingTable::seq_length, Bounds::between(1, 1e8), "tokens of a sequence")
      .required("train_iters", &TrainingTable::train_iters, Bounds::between(1, 1e9), "iterations");
}

Record<TrainingTable>& add_switches(Record<TrainingTable>& record) {
  using training::Method;
  using training::Recompute;
  return record
      .choice("method", &TrainingTable::method, {{"pretrain", Method::pretrain}, {"lora", Method::lora}}, "\"pretrain\"",
              "what is trained: all weights, or low-rank adapters beside frozen ones")
      .optional("lora_rank", &TrainingTable::lora_rank, "16", Bounds::between(1, 1e5), "of the adapters")
      .choice("recompute", &TrainingTable::recompute, {{"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}},
              "\"none\"", "which forward work is done again in the backward pass to save memory")
      .optional("sequence_parallel", &TrainingTable::sequence_parallel, "false", Bounds::any(),
                "norms and dropouts split over the tensor-parallel GPUs")
      .optional("flash_attention", &TrainingTable::flash_attention, "true", Bounds::any(), "attention's scores stay on the chip")
      .optional("distributed_optimizer", &TrainingTable::distributed_optimizer, "false", Bounds::any(),
                "the optimizer's state is split over the data-parallel GPUs (ZeRO-1)")
      .optional("overlap_p2p", &TrainingTable::overlap_p2p, "false", Bounds::any(), "messages between stages go on beside work")
      .optional("overlap_grad_reduce", &TrainingTable::overlap_grad_reduce, "false", Bounds::any(),
                "gradients are summed beside the last backward pass");
}

}  // namespace

Record<TrainingTable> training_record() {
  Record<TrainingTable> record("training");
  record.place(&TrainingTable::place)
      .optional("cluster", &TrainingTable::cluster, "", Bounds::any(), "the cluster whose GPUs the job uses; or `node`")
      .optional("node", &TrainingTable::node, "", Bounds::any(), "short form: a node profile; as many nodes as the GPUs need are made")
      .optional("gpu", &TrainingTable::gpu, "the node's", Bounds::any(), "with `node`: a GPU profile in place of the node's, by name or path")
      .table("cost", &TrainingTable::cost, cost_record(), "with `node`: what the hardware costs")
      .required("gpus", &TrainingTable::gpus, Bounds::between(1, 1e6), "how many GPUs; what parallel sizes leave is data parallel")
      .custom("start", "date and time, or time", "\"0 s\"", "when the job begins; a time counts from the run's start on", read_start)
      .optional("model", &TrainingTable::model, "none, with stage_profile", Bounds::any(), "a [model] table's name or an architecture");
  add_sizes(record);
  record.custom("schedule", "schedule, or list of string", "\"1f1b\"",
                "\"gpipe\" | \"1f1b\" | \"interleaved\" | \"zb-h1\", or a line of steps a stage: F, B (or I and W, its input and weight parts), "
                "microbatch, .chunk",
                read_schedule);
  add_switches(record);
  record
      .custom("sm_clock", "\"auto\", frequency or policy", "\"auto\"", "lock of the SM clock, or the policy that plans the clock of every operation",
              read_clock)
      .custom("gpu_power_limit", "power", "\"default\"", "cap on a GPU's mean watts in an operation; \"default\": the profile's", read_power_limit)
      .optional("speed_factor", &TrainingTable::speed_factor, "1", Bounds::between(0.01, 2), "core speed of the job's GPUs over the profile's")
      .optional("jitter", &TrainingTable::jitter, "0", Bounds::between(0, 1), "relative standard deviation of an operation's time")
      .tables("straggler", &TrainingTable::straggler, straggler_record(), "slow GPUs")
      .table("stage_profile", &TrainingTable::stage_profile, stage_profile_record(), "measured stages in place of the operation model");
  return record;
}

}  // namespace joulecast::scenario
