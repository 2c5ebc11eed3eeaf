#include "validation/training_savings.hpp"

#include <utility>

#include "hardware/fabric/fabric_collectives.hpp"
#include "policy/clocks/pipeline_slack.hpp"
#include "training/model_costs.hpp"
#include "training/replay.hpp"
#include "training/schedule.hpp"
#include "validation/training_run.hpp"

namespace joulecast::validation {
namespace {

double saving(const Sources& sources, const SavingsJob& job) {
  const training::Iteration iteration = savings_iteration(sources, job);
  const training::Replay base = training::replay(iteration, {});
  const training::PlanResult plan = policy::PipelineSlack().plan(iteration, base.makespan);
  return 100 * (1 - training::replay(iteration, plan.plan).total().units() / base.total().units());
}

Comparison against_published(const SavingsJob& job) {
  Entry entry{"training.perseus." + job.id + ".saving",
              "pipeline_slack by the operation model, all-max deadline: " + job.driver,
              "Perseus, SOSP 2024, table 3",
              job.published,
              "%",
              "5 points",
              Kind::derived};
  return {{std::move(entry)},
          [job](const Sources& sources) -> std::optional<std::vector<Ours>> { return std::vector<Ours>{{saving(sources, job)}}; }};
}

/// 1 where it runs and saves: no figure is published.
Comparison saves(const SavingsJob& job) {
  Entry entry{"training.perseus." + job.id + ".saves",
              "pipeline_slack saves more than zero by the operation model: " + job.driver,
              "no figure is published",
              1,
              "1",
              "0",
              Kind::regression};
  return {{std::move(entry)},
          [job](const Sources& sources) -> std::optional<std::vector<Ours>> { return std::vector<Ours>{{saving(sources, job) > 0 ? 1.0 : 0.0}}; }};
}

}  // namespace

const std::vector<SavingsJob>& savings_jobs() {
  static const std::vector<SavingsJob> jobs = {{"a100-bert-1.3b",
                                                "A100 PCIe 80",
                                                "BERT-1.3B",
                                                {7, 6, 6, 5},
                                                8,
                                                32,
                                                512,
                                                true,
                                                12.9,
                                                6.34,
                                                "uneven layers, bubbles 9 % of the iteration, clocks already capped"},
                                               {"a100-bloom-3b",
                                                "A100 PCIe 80",
                                                "Bloom-3B",
                                                {9, 8, 8, 5},
                                                4,
                                                128,
                                                1024,
                                                true,
                                                11.7,
                                                61.7,
                                                "a long last stage (head of 250,880 words), few bubbles, clocks already capped"},
                                               {"a100-gpt3-1.3b",
                                                "A100 PCIe 80",
                                                "GPT-3-1.3B",
                                                {7, 6, 7, 4},
                                                8,
                                                128,
                                                1024,
                                                true,
                                                13.2,
                                                60.1,
                                                "uneven layers, few bubbles, clocks already capped"},
                                               {"a100-qwen3-30b-a3b",
                                                "A100 SXM 80",
                                                "Qwen3-30B-A3B",
                                                {12, 12, 12, 12},
                                                1,
                                                32,
                                                2048,
                                                false,
                                                0,
                                                0,
                                                "even layers, the head on the last stage, bubbles 9 %, no cap"},
                                               {"a100-t5-3b",
                                                "A100 PCIe 80",
                                                "T5-3B",
                                                {12, 12, 12, 12},
                                                4,
                                                32,
                                                512,
                                                true,
                                                0,
                                                9.24,
                                                "decoder stages half as long again as encoder stages, bubbles 9 %"},
                                               {"a40-bert-1.3b",
                                                "A40",
                                                "BERT-1.3B",
                                                {3, 3, 3, 3, 3, 3, 3, 3},
                                                8,
                                                32,
                                                512,
                                                true,
                                                15.7,
                                                7.96,
                                                "a last stage a third longer than the others, bubbles 18 %, no cap"},
                                               {"a40-bloom-3b",
                                                "A40",
                                                "Bloom-3B",
                                                {5, 4, 4, 4, 4, 4, 4, 1},
                                                4,
                                                128,
                                                1024,
                                                true,
                                                22.4,
                                                81.0,
                                                "long first and last stages, bubbles 5 %, no cap"},
                                               {"a40-gpt3-2.7b",
                                                "A40",
                                                "GPT-3-2.7B",
                                                {4, 4, 4, 4, 4, 4, 4, 4},
                                                4,
                                                256,
                                                1024,
                                                true,
                                                21.1,
                                                151.1,
                                                "a last stage a quarter longer than the others, few bubbles, no cap"}};
  return jobs;
}

training::Iteration savings_iteration(const Sources& sources, const SavingsJob& job) {
  hardware::GpuProfile gpu = shipped_gpu(sources, job.gpu);
  if (job.single_precision) {
    // TF32 multiplies at half the rate of bf16 on these cards, and every value has twice the bytes.
    gpu.peak_bf16.value = 0.5 * gpu.peak_bf16.value;
    gpu.memory_bandwidth.value = 0.5 * gpu.memory_bandwidth.value;
  }
  const llm::Architecture model = shipped_model(sources, job.model);
  training::Layout layout;
  layout.pipeline = static_cast<std::int64_t>(job.layers.size());
  layout.layers_of = job.layers;
  layout.micro_batch_size = job.micro_batch_size;
  layout.global_batch_size = job.micro_batch_size * job.microbatches;
  layout.seq_length = job.seq_length;
  layout.recompute = training::Recompute::full;
  layout.flash_attention = false;
  config::Diagnostics diagnostics;
  training::check_layout(model, layout, {model.file, 0, 0}, diagnostics);
  diagnostics.throw_if_failed();
  constexpr std::int64_t kGpusPerNode = 8;
  const hardware::FabricCollectives collectives(gpu, kGpusPerNode, nullptr, 1, training::collective_options(gpu));
  training::ClockSettings settings;
  settings.every_clock = true;
  const training::IterationParts parts = training::model_costs(gpu, model, layout, collectives, kGpusPerNode, settings);
  return training::build_iteration(training::make_schedule(training::ScheduleKind::one_f_one_b, layout.schedule_shape()), parts);
}

std::vector<Comparison> training_savings() {
  std::vector<Comparison> all;
  for (const SavingsJob& job : savings_jobs()) all.push_back(job.published > 0 ? against_published(job) : saves(job));
  return all;
}

}  // namespace joulecast::validation
