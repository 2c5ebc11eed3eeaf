#include "validation/megatron.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "validation/training_run.hpp"

namespace joulecast::validation {

namespace {

struct Published {
  const char* id;
  const char* model;
  std::int64_t gpus, pipeline, chunks, global_batch, micro_batch;
  double full, selective;  ///< seconds
};

constexpr Published kRuns[] = {{"22b", "Megatron-22B", 8, 1, 1, 4, 4, 1.42, 1.10},
                               {"175b", "GPT-3-175B", 64, 8, 3, 64, 1, 18.13, 13.75},
                               {"530b", "Megatron-530B", 280, 35, 3, 280, 1, 49.05, 37.83},
                               {"1t", "Megatron-1T", 512, 64, 1, 512, 1, 94.42, 71.49}};

training::Layout layout_of(const Published& run, training::Recompute recompute) {
  training::Layout layout;
  layout.tensor = 8;
  layout.pipeline = run.pipeline;
  layout.virtual_chunks = run.chunks;
  layout.global_batch_size = run.global_batch;
  layout.micro_batch_size = run.micro_batch;
  layout.seq_length = 2048;
  layout.flash_attention = false;
  layout.recompute = recompute;
  layout.overlap_tensor_parallel = true;
  layout.sequence_parallel = recompute == training::Recompute::selective;
  return layout;
}

}  // namespace

Comparison megatron() {
  std::vector<Entry> entries;
  const std::string source = "Megatron, arXiv 2205.05198";
  for (const auto& run : kRuns) {
    const auto quantity = "iteration, " + std::to_string(run.gpus) + " A100, ";
    const auto id = std::string("training.megatron.") + run.id;
    entries.push_back({id + ".full_s", quantity + "full recompute", source, run.full, "s", "7 %", Kind::measured});
    entries.push_back({id + ".selective_s", quantity + "selective recompute, sequence parallel", source, run.selective, "s", "7 %", Kind::measured});
  }
  entries.push_back({"training.megatron.mean_error", "mean of the 8", source, 0, "%", "4 %", Kind::measured});
  return {std::move(entries), [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto gpu = shipped_gpu(sources, "A100 SXM 80");
            const auto fabric = shipped_fabric(sources, "ib-hdr-4x200g");
            std::vector<Ours> ours;
            double error = 0;
            for (const auto& run : kRuns) {
              for (const bool full : {true, false}) {
                const auto layout = layout_of(run, full ? training::Recompute::full : training::Recompute::selective);
                const double seconds = TrainingRun(gpu, fabric, shipped_model(sources, run.model), layout).seconds();
                error += 100 * std::abs(seconds / (full ? run.full : run.selective) - 1);
                ours.push_back({seconds});
              }
            }
            ours.push_back({error / static_cast<double>(ours.size())});
            return ours;
          }};
}

}  // namespace joulecast::validation
