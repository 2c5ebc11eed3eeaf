#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

#include "scenario/run.hpp"
#include "scenario/training_plan.hpp"
#include "training/replay_account.hpp"

namespace joulecast::scenario {

namespace {

/// What a node of a cluster holds of jobs: [job, class of replicas, stage, nodes it spans] of each part.
using Holding = std::vector<std::tuple<std::size_t, std::size_t, std::int32_t, int>>;

/// `count` nodes that always do the same, as one: every watt `count` times.
metering::NodeOverhead times(metering::NodeOverhead node, double count) {
  node.host = count * node.host;
  node.fans_peak = count * node.fans_peak;
  node.fans_peak_dc = count * node.fans_peak_dc;
  node.psu_rated = count * node.psu_rated;
  node.network = count * node.network;
  return node;
}

}  // namespace

void Run::plan_jobs() {
  for (const TrainingJob& job : scenario_.jobs) {
    JobParts& parts = jobs_.emplace_back();
    parts.plan = std::make_shared<const JobPlan>(plan_job(scenario_, job));
    parts.devices.resize(parts.plan->classes.size() * static_cast<std::size_t>(job.layout.pipeline));
  }
}

/// Nodes that jobs alone use are registered here, those that hold the same as one; `nodes` are the others'.
void Run::meter_jobs(const std::vector<std::vector<std::optional<std::size_t>>>& nodes) {
  std::vector<std::map<int, Holding>> holdings(scenario_.clusters.size());
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    std::map<std::int32_t, std::size_t> class_of;
    for (std::size_t c = 0; c < jobs_[j].plan->classes.size(); ++c) {
      for (const std::int32_t replica : jobs_[j].plan->classes[c].replicas) class_of[replica] = c;
    }
    for (const StagePlace& each : placement_.stages_of_job[j]) {
      holdings[scenario_.jobs[j].cluster][each.node].emplace_back(j, class_of[each.replica], each.stage, each.nodes);
    }
  }
  for (std::size_t c = 0; c < scenario_.clusters.size(); ++c) {
    const Cluster& cluster = scenario_.clusters[c];
    std::map<std::pair<Holding, std::optional<std::size_t>>, int> alike;
    std::vector<std::pair<Holding, std::optional<std::size_t>>> order;
    for (const auto& [node, holding] : holdings[c]) {
      const std::pair key{holding, nodes[c][static_cast<std::size_t>(node)]};
      if (alike[key]++ == 0) order.push_back(key);
    }
    for (const auto& key : order) {
      const int count = alike[key];
      const auto& [holding, known] = key;
      const int blocks = count * std::get<3>(holding.front());
      const std::size_t node = known ? *known
                                     : ledger_.add_node(fmt::format("{}/{} alike", cluster.name, blocks), blocks * cluster.node.gpus,
                                                        times(cluster.node.overhead(), blocks), {cluster.site, cluster.feed});
      std::map<std::tuple<std::size_t, std::size_t, std::int32_t>, int> lanes;
      for (const auto& [job, replicas, stage, span] : holding) lanes[{job, replicas, stage}] += count;
      for (const auto& [lane, copies] : lanes) {
        const auto& [job, replicas, stage] = lane;
        const TrainingJob& described = scenario_.jobs[job];
        const auto gpus = static_cast<int>(copies * described.layout.gpus_per_stage());
        metering::Meter& meter = ledger_.add_device(fmt::format("{}/{}/{}", described.name, jobs_[job].plan->classes[replicas].first, stage),
                                                    jobs_[job].account, node, gpus);
        const auto stages = static_cast<std::size_t>(described.layout.pipeline);
        jobs_[job].devices[replicas * stages + static_cast<std::size_t>(stage)].push_back({&meter, copies});
      }
    }
  }
}

training::JobClasses Run::register_job_classes() {
  const auto add = [&](training::Spent spent) { return ledger_.register_class(std::string(training::name(spent))); };
  training::JobClasses classes;
  classes.forward = add(training::Spent::forward);
  classes.backward = add(training::Spent::backward);
  classes.recompute = add(training::Spent::recompute);
  classes.optimizer = add(training::Spent::optimizer);
  classes.communication = add(training::Spent::communication);
  return classes;
}

void Run::add_jobs() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const TrainingJob& job = scenario_.jobs[j];
    JobParts& parts = jobs_[j];
    const std::string name = "training/" + job.name;
    training::Fleet fleet(parts.plan->iteration, parts.plan->plans, parts.plan->classes, job.jitter, scenario_.seed, name);
    training::JobSetup setup{std::move(fleet), parts.devices, job_classes_, scenario_.clusters[job.cluster].gpu.idle.bare.value,
                             job.start,        job.iterations};
    parts.job = simulation_.add_new<training::Job>(name, engine::Level::decode, std::move(setup)).second;
  }
}

}  // namespace joulecast::scenario
