#include "validation/dgxc.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "calibration/training_efficiency.hpp"
#include "hardware/node.hpp"
#include "hardware/profiles.hpp"
#include "validation/training_run.hpp"

namespace joulecast::validation {

namespace {

struct Published {
  std::int64_t gpus;
  double seconds;
};

constexpr Published kGpt3[] = {{128, 8.309}, {256, 8.408}, {512, 8.42}, {1024, 8.453}, {2048, 8.49}};
constexpr Published kLlama[] = {{576, 17.20}, {1152, 17.52}, {2304, 17.62}};

training::Layout common() {
  training::Layout layout;
  layout.micro_batch_size = 1;
  layout.sequence_parallel = true;
  layout.distributed_optimizer = true;
  layout.overlap_p2p = true;
  layout.overlap_tensor_parallel = true;
  return layout;
}

training::Layout gpt3_layout(std::int64_t gpus) {
  auto layout = common();
  layout.tensor = 4;
  layout.pipeline = 8;
  layout.virtual_chunks = 12;
  layout.data = gpus / 32;
  layout.global_batch_size = 2 * gpus;
  layout.seq_length = 2048;
  return layout;
}

training::Layout llama_layout(std::int64_t gpus) {
  auto layout = common();
  layout.tensor = 8;
  layout.pipeline = 9;
  layout.context = 2;
  layout.virtual_chunks = 7;
  layout.data = gpus / 144;
  layout.global_batch_size = gpus * 7 / 16;
  layout.seq_length = 8192;
  return layout;
}

TrainingRun gpt3_run(const Sources& sources, std::int64_t gpus) {
  return {shipped_gpu(sources, "H100 SXM"), shipped_fabric(sources, "ib-ndr-8x400g"), shipped_model(sources, "GPT-3-175B"), gpt3_layout(gpus)};
}

TrainingRun llama_run(const Sources& sources, std::int64_t gpus) {
  return {shipped_gpu(sources, "H100 SXM"), shipped_fabric(sources, "ib-ndr-8x400g"), shipped_model(sources, "meta-llama/Llama-3.1-405B"),
          llama_layout(gpus)};
}

}  // namespace

DgxcSeries dgxc_series(const Sources& sources) {
  const auto first = gpt3_run(sources, kGpt3[0].gpus);
  const auto fit =
      calibration::fit_training_efficiency(shipped_gpu(sources, "H100 SXM").training.value().prior.value(),
                                           {{kGpt3[0].seconds, [&](const auto& efficiency) { return first.seconds(efficiency); }}}, true);
  DgxcSeries series;
  series.fitted = fit.fitted;
  for (const auto& each : kGpt3) series.gpt3.push_back({each.gpus, each.seconds, gpt3_run(sources, each.gpus).seconds(fit.fitted)});
  for (const auto& each : kLlama) series.llama.push_back({each.gpus, each.seconds, llama_run(sources, each.gpus).seconds(fit.fitted)});
  return series;
}

double growth(const std::vector<DgxcPoint>& series) { return 100 * (series.back().modelled / series.front().modelled - 1); }

Comparison dgxc() {
  const std::string source = "NVIDIA dgxc-benchmarking";
  std::vector<Entry> entries;
  for (const auto& each : kGpt3) {
    entries.push_back({fmt::format("training.h100.gpt3-175b.{}gpu_s", each.gpus), "iteration; derate from the 128-GPU point", source, each.seconds,
                       "s", "3 %", each.gpus == kGpt3[0].gpus ? Kind::regression : Kind::measured});
  }
  for (const auto& each : kLlama) {
    entries.push_back({fmt::format("training.h100.llama-3.1-405b.{}gpu_s", each.gpus), "iteration; derate from GPT-3 175B", source, each.seconds, "s",
                       "7 %", Kind::measured});
  }
  entries.push_back({"training.h100.gpt3-175b.growth", "128 to 2048 GPUs", source, 2.2, "%", "1.2 points", Kind::measured});
  return {std::move(entries), [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto series = dgxc_series(sources);
            std::vector<Ours> ours;
            for (const auto* each : {&series.gpt3, &series.llama}) {
              for (const auto& point : *each) ours.push_back({point.modelled});
            }
            ours.push_back({growth(series.gpt3)});
            return ours;
          }};
}

Comparison node_power_blind() {
  Entry entry{
      "hardware.node.h100_training_blind_kw", "our own training model, AC", "76 % of 10.2 kW, arXiv 2506.14551", 7.752, "kW", "11 %", Kind::measured};
  return {{std::move(entry)}, [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            config::Diagnostics diagnostics;
            const auto node = hardware::load_node(hardware::find_profile(hardware::node_folder(sources.share), "node", "dgx-h100", {}), diagnostics);
            diagnostics.throw_if_failed();
            const Watts gpu(gpt3_run(sources, kGpt3[0].gpus).mean_gpu_watts());
            return std::vector<Ours>{{node.overhead().chassis_ac(static_cast<double>(node.gpus) * gpu).si() / 1e3}};
          }};
}

}  // namespace joulecast::validation
