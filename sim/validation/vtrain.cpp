#include "validation/vtrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

#include "validation/training_run.hpp"
#include "validation/vtrain_rows.hpp"

namespace joulecast::validation {

namespace {

constexpr std::size_t kFittedRows = 10;

std::string file_of(const Sources& sources, const char* name) {
  const auto path = std::filesystem::path(sources.data) / "training/vtrain" / name;
  return sources.data.empty() || !std::filesystem::exists(path) ? "" : path.string();
}

std::vector<double> held_out_errors(const VtrainComparison& comparison) {
  std::vector<double> errors;
  for (const auto& row : comparison.rows) {
    if (!row.fitted) errors.push_back(100 * std::abs(row.modelled / row.measured - 1));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

/// Linear between the order statistics, as numpy's default.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double mean(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()); }

}  // namespace

double VtrainComparison::mean_error() const { return mean(held_out_errors(*this)); }
double VtrainComparison::median_error() const { return quantile(held_out_errors(*this), 0.5); }
double VtrainComparison::p90_error() const { return quantile(held_out_errors(*this), 0.9); }

double VtrainComparison::within_15() const {
  const auto errors = held_out_errors(*this);
  const auto within = std::upper_bound(errors.begin(), errors.end(), 15.0) - errors.begin();
  return 100 * static_cast<double>(within) / static_cast<double>(errors.size());
}

std::optional<VtrainComparison> vtrain_multi(const Sources& sources) {
  const auto file = file_of(sources, "ground_truth_multi.csv");
  if (file.empty()) return std::nullopt;
  const auto gpu = shipped_gpu(sources, "A100 SXM 80");
  const auto fabric = shipped_fabric(sources, "ib-hdr-4x200g");
  const auto jobs = read_vtrain(file);
  std::vector<TrainingRun> runs;
  for (const auto& job : jobs) runs.emplace_back(gpu, fabric, job.model(), job.layout);

  VtrainComparison comparison;
  std::vector<calibration::TimedIteration> timed;
  for (const auto& job : jobs) comparison.rows.push_back({job.text(), job.seconds, 0, false});
  for (std::size_t i = 0; i < kFittedRows; ++i) {
    const std::size_t at = (2 * i + 1) * jobs.size() / (2 * kFittedRows);
    comparison.rows[at].fitted = true;
    timed.push_back({jobs[at].seconds, [&run = runs[at]](const auto& efficiency) { return run.seconds(efficiency); }});
  }
  comparison.fit = calibration::fit_training_efficiency(gpu.training->prior.value(), timed);
  for (std::size_t i = 0; i < jobs.size(); ++i) comparison.rows[i].modelled = runs[i].seconds(comparison.fit.fitted);
  return comparison;
}

Comparison vtrain_multi_node() {
  const auto entry = [](const char* id, const char* quantity, double expected, const char* tolerance, Kind kind) {
    return Entry{std::string("training.vtrain_multi.") + id,
                 quantity,
                 "vTrain ground_truth_multi.csv; 4 figures fitted on rows floor((2i+1)*52/20), i = 0..9, of the 52 sorted by (h,t,p,d,b,L,B)",
                 expected,
                 "%",
                 tolerance,
                 kind};
  };
  return {{entry("mean_error", "rows not fitted", 0, "8 %", Kind::measured), entry("median_error", "rows not fitted", 0, "6 %", Kind::measured),
           entry("p90_error", "rows not fitted", 0, "18 %", Kind::measured),
           entry("within_15", "share of the rows not fitted within 15 %", 100, "12 points", Kind::derived)},
          [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto comparison = vtrain_multi(sources);
            if (!comparison) return std::nullopt;
            return std::vector<Ours>{{comparison->mean_error()}, {comparison->median_error()}, {comparison->p90_error()}, {comparison->within_15()}};
          }};
}

Comparison vtrain_single_node() {
  Entry entry{
      "training.vtrain_single.mean_error", "all rows: composition, not measured", "vTrain ground_truth_single.csv", 0, "%", "10 %", Kind::regression};
  return {{std::move(entry)}, [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const auto file = file_of(sources, "ground_truth_single.csv");
            if (file.empty()) return std::nullopt;
            const auto gpu = shipped_gpu(sources, "A100 SXM 80");
            const auto fabric = shipped_fabric(sources, "ib-hdr-4x200g");
            std::vector<double> errors;
            for (auto& job : read_vtrain(file)) {
              job.layout.overlap_grad_reduce = true;
              errors.push_back(100 * std::abs(TrainingRun(gpu, fabric, job.model(), job.layout).seconds() / job.seconds - 1));
            }
            return std::vector<Ours>{{mean(errors)}};
          }};
}

std::string vtrain_table(const Sources& sources) {
  const auto comparison = vtrain_multi(sources);
  if (!comparison) return "";
  const auto& fitted = comparison->fit.fitted;
  const auto width = [&](std::size_t i) { return 100 * comparison->fit.half_width[i]; };
  std::string text = fmt::format(
      "Fitted on 10 rows (*): GEMM derate {:.4f} +- {:.0f} %, elementwise {:.4f} +- {:.0f} %, NIC {:.4f} +- {:.0f} %, host {:.4f} ms +- {:.0f} %\n",
      fitted.gemm_derate.value, width(0), fitted.elementwise.value, width(1), fitted.nic.value, width(2), 1e3 * fitted.host_layer_pass.value.si(),
      width(3));
  for (const auto& row : comparison->rows) {
    text += fmt::format("{} {:<28} {:>8.2f} s {:>8.2f} s {:>+6.1f} %\n", row.fitted ? '*' : ' ', row.text, row.measured, row.modelled,
                        100 * (row.modelled / row.measured - 1));
  }
  return text + fmt::format("not fitted: mean {:.2f} %, median {:.2f} %, 90th percentile {:.2f} %, {:.0f} % within 15 %\n", comparison->mean_error(),
                            comparison->median_error(), comparison->p90_error(), comparison->within_15());
}

}  // namespace joulecast::validation
