#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "calibration/fit_serving.hpp"
#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"
#include "serving/engine_config.hpp"
#include "serving/steady_batch.hpp"
#include "traces/power/serving_runs.hpp"

namespace joulecast::study {

/// A measured run beside what costs are asked for it.
struct SteadyRun {
  traces::ServingRun run;
  std::size_t gpu = 0, model = 0;  ///< positions in ServingRuns
  std::size_t series = 0;          ///< runs that differ in the batch alone have one number
  serving::SteadyBatch batch;
  serving::EngineConfig engine;
  calibration::ServingRow row;
};

/// Runs of vLLM on GPUs and models that are shipped, ready to be fitted and predicted.
///
/// Where a file says nothing of prompts, the tasks of ml-energy/leaderboard v3 are known: lm-arena-chat has about 400 tokens, gpqa about 250 (inferred);
/// rows of other tasks are left out. A step takes in as many prompts as requests end in it, but no more than at a batch of 512: above, the FLOP of
/// more prompts would exceed the peak (Llama-3.1-405B at a batch of 1021 on B200). A run on one GPU of a profile with [host_contention] is taken to have
/// shared its host, with long outputs from 4000 tokens.
class ServingRuns {
 public:
  /// `share`: the folder with hardware_profiles and workloads. Runs that can't be described are left out and named in `left_out`.
  ServingRuns(const std::vector<traces::ServingRun>& runs, const std::string& share);

  const std::vector<SteadyRun>& runs() const { return runs_; }
  const llm::Architecture& model(const SteadyRun& run) const { return models_[run.model]; }
  const hardware::GpuProfile& gpu(const SteadyRun& run) const { return gpus_[run.gpu]; }
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// The rows of these runs.
  std::vector<calibration::ServingRow> rows(std::span<const std::size_t> which) const;
  /// What costs with the fit's figures say of these runs, in their order: the step model that a simulation uses, at the board's limit.
  std::vector<serving::SteadyCost> predict(const calibration::ServingFit& fit, std::span<const std::size_t> which) const;

 private:
  bool describe(const traces::ServingRun& run, const std::string& share);
  void make_rows();

  std::vector<hardware::GpuProfile> gpus_;
  std::vector<llm::Architecture> models_;
  std::vector<SteadyRun> runs_;
  std::vector<std::string> left_out_;
};

}  // namespace joulecast::study
