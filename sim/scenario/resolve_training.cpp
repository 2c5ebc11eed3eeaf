#include <fmt/format.h>

#include <algorithm>

#include "hardware/fabric/network_power.hpp"
#include "hardware/profiles.hpp"
#include "scenario/resolver.hpp"
#include "scenario/toml_writer.hpp"
#include "scenario/training_costs.hpp"
#include "training/memory.hpp"
#include "training/schedule_text.hpp"

namespace joulecast::scenario {

std::optional<std::size_t> Resolver::job_cluster(const std::string& name, const TrainingTable& table) {
  if (table.cluster.empty() == table.node.empty()) {
    diagnostics_.error(table.place, table.cluster.empty() ? "the job has neither cluster nor node" : "the job has both cluster and node",
                       "name a [cluster] table, or write node = \"dgx-h100\" to have one made");
    return std::nullopt;
  }
  if (!table.cluster.empty()) {
    for (std::size_t i = 0; i < scenario_.clusters.size(); ++i) {
      if (scenario_.clusters[i].name == table.cluster) return i;
    }
    if (find(file_.cluster, table.cluster) == nullptr) {
      diagnostics_.error(table.place, "there is no [cluster." + table.cluster + "]",
                         nearest_table(file_.cluster, table.cluster) + "add it, or use node");
    }
    return std::nullopt;
  }
  if (find(file_.cluster, name) != nullptr || find(file_.pool, name) != nullptr) {
    diagnostics_.error(table.place, "node makes a cluster named after the job, and there is a pool or a cluster of that name",
                       "name a [cluster] table in place of node, or rename the job");
    return std::nullopt;
  }
  auto made = cluster(name, table.node, table.gpu, table.cost, table.place);
  if (!made) return std::nullopt;
  made->nodes = static_cast<int>((table.gpus + made->node.gpus - 1) / made->node.gpus);
  scenario_.notes.push_back(fmt::format("job \"{}\" made a cluster of {} x {}", name, made->nodes, made->node.name));
  scenario_.clusters.push_back(*std::move(made));
  return scenario_.clusters.size() - 1;
}

/// Sizes of the table, with data parallelism what they leave of the GPUs.
std::optional<training::Layout> Resolver::job_layout(const TrainingTable& table) {
  const std::int64_t model_parallel = table.tensor_parallel_size * table.pipeline_parallel_size * table.context_parallel_size;
  if (table.gpus % model_parallel != 0) {
    diagnostics_.error(table.place,
                       fmt::format("{} GPUs cannot be divided among pipelines of {}: tensor_parallel_size {} x pipeline_parallel_size {} x "
                                   "context_parallel_size {}",
                                   table.gpus, model_parallel, table.tensor_parallel_size, table.pipeline_parallel_size, table.context_parallel_size),
                       fmt::format("take a multiple of {} GPUs, or other sizes", model_parallel));
    return std::nullopt;
  }
  training::Layout layout;
  layout.tensor = table.tensor_parallel_size;
  layout.pipeline = table.pipeline_parallel_size;
  layout.context = table.context_parallel_size;
  layout.expert = table.expert_parallel_size;
  layout.data = table.gpus / model_parallel;
  layout.virtual_chunks = table.virtual_pipeline_parallel_size;
  layout.layers_of = table.layers;
  layout.global_batch_size = table.global_batch_size;
  layout.micro_batch_size = table.micro_batch_size;
  layout.seq_length = table.seq_length;
  layout.sequence_parallel = table.sequence_parallel;
  layout.flash_attention = table.flash_attention;
  layout.recompute = table.recompute;
  layout.distributed_optimizer = table.distributed_optimizer;
  layout.overlap_p2p = table.overlap_p2p;
  layout.overlap_grad_reduce = table.overlap_grad_reduce;
  layout.method = table.method;
  layout.lora_rank = table.lora_rank;
  return layout;
}

void Resolver::job_stragglers(TrainingJob& job, const TrainingTable& table) {
  for (const auto& [name, each] : table.straggler) {
    if (each.replica >= job.layout.data) {
      diagnostics_.error(each.place, fmt::format("straggler \"{}\" is in replica {} of {}", name, each.replica, job.layout.data),
                         fmt::format("replicas are 0 .. {}", job.layout.data - 1));
    } else if (each.stage && *each.stage >= job.layout.pipeline) {
      diagnostics_.error(each.place, fmt::format("straggler \"{}\" is stage {} of {}", name, *each.stage, job.layout.pipeline),
                         fmt::format("stages are 0 .. {}", job.layout.pipeline - 1));
    } else {
      job.stragglers.push_back({name, each.replica, each.stage, each.speed_factor});
    }
  }
}

/// The architecture, the layout's rules, the schedule and the memory.
bool Resolver::job_model(TrainingJob& job, const TrainingTable& table) {
  if (table.model.empty()) {
    if (!job.profile) diagnostics_.error(table.place, "the job has no model", "add model, or stage_profile with measured stages");
    return job.profile.has_value();
  }
  job.model_name = table.model;
  const ModelTable* named = find(file_.model, table.model);
  const std::string architecture = named != nullptr ? named->architecture : table.model;
  const Place& place = named != nullptr ? named->place : table.place;
  llm::Architecture model;
  const bool found = collecting([&] {
    const std::string path = hardware::find_profile(hardware::model_folder(share_), "model", architecture, place);
    model = llm::load_architecture(path, diagnostics_);
    scenario_.inputs.push_back(path);
    if (architecture.ends_with(".toml")) job.model_path = absolute(path);
  });
  if (!found || diagnostics_.failed()) return false;
  training::check_layout(model, job.layout, table.place, diagnostics_);
  job.model = std::move(model);
  return !diagnostics_.failed();
}

void Resolver::job_fabric(TrainingJob& job, const TrainingTable& table) {
  Cluster& cluster = scenario_.clusters[job.cluster];
  if (job.gpus() <= cluster.node.gpus) return;
  if (cluster.node.fabric.empty()) {
    if (job.profile) return;
    diagnostics_.error(
        table.place,
        fmt::format("{} GPUs are more than a node's {}, and nothing joins nodes of kind \"{}\"", job.gpus(), cluster.node.gpus, cluster.node.name),
        "take a node profile with a fabric, or as many GPUs as a node has");
    return;
  }
  collecting([&] {
    const std::string path = hardware::find_profile(hardware::fabric_folder(share_), "fabric", cluster.node.fabric, table.place);
    job.fabric = hardware::load_fabric(path, diagnostics_);
    scenario_.inputs.push_back(path);
    if (diagnostics_.failed()) return;
    cluster.fabric = job.fabric;
    cluster.node.network = hardware::network_watts_a_node(*job.fabric, cluster.nodes);
  });
}

void Resolver::training(const std::string& name, const TrainingTable& table) {
  const auto clash = [&](const auto& tables) { return find(tables, name) != nullptr; };
  if (name == "no pool" || clash(file_.pool)) {
    diagnostics_.error(table.place, fmt::format("a job cannot be named \"{}\": results have a pool of that name", name), "choose another name");
    return;
  }
  const auto index = job_cluster(name, table);
  const auto layout = job_layout(table);
  if (!index || !layout) return;
  const Cluster& cluster = scenario_.clusters[*index];
  TrainingJob job;
  job.name = name;
  job.cluster = *index;
  job.layout = *layout;
  job.schedule = table.schedule;
  job.own_schedule = table.own_schedule;
  job.iterations = table.train_iters;
  job.power_limit = table.gpu_power_limit;
  job.speed_factor = table.speed_factor;
  job.jitter = table.jitter.value;
  job.place = table.place;
  job_start(job, table);
  job_stragglers(job, table);
  if (table.stage_profile) {
    const StageProfileTable& profile = *table.stage_profile;
    job.profile = StageProfileInput{config::resolve_path(profile.file, profile.place), profile.time_scale, profile.blocking};
    scenario_.inputs.push_back(job.profile->path);
  }
  job_clock(job, table, cluster.gpu);
  if (diagnostics_.failed() || !job_model(job, table)) return;
  job_fabric(job, table);
  if (diagnostics_.failed()) return;
  const bool sound = collecting([&] {
    const training::Schedule schedule = job_schedule(job);
    const training::ScheduleShape shape = training::shape_of(schedule), wanted = job.layout.schedule_shape();
    if (shape.stages != wanted.stages || shape.microbatches != wanted.microbatches || shape.chunks != wanted.chunks) {
      throw UserError(table.place,
                      fmt::format("the schedule has {} stages, {} microbatches and {} chunks; the sizes ask for {}, {} and {}", shape.stages,
                                  shape.microbatches, shape.chunks, wanted.stages, wanted.microbatches, wanted.chunks),
                      "change the schedule or the sizes");
    }
    if (job.model && !job.profile) {
      std::vector<double> in_flight;
      for (const auto& stage : schedule) in_flight.push_back(training::peak_in_flight(stage, shape.chunks));
      training::check_memory(cluster.gpu, *job.model, job.layout, in_flight, table.place);
    }
    // What is larger than its cluster is refused where everything is placed.
    if (job.gpus() <= std::int64_t{cluster.nodes} * cluster.node.gpus) job_iteration(scenario_, job, false);
  });
  if (sound) scenario_.jobs.push_back(std::move(job));
}

}  // namespace joulecast::scenario
