#include "serving/cost/all_reduce_costs.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace joulecast::serving {

namespace {

/// Steps of more tokens than the largest CUDA graph run eagerly (vLLM V1).
constexpr std::int64_t kLargestGraph = 512;

}  // namespace

AllReduceCosts::AllReduceCosts(const hardware::GpuProfile& gpu, int gpus, const hardware::OperationTables* tables)
    : core_share_(gpu.clock.collective.value) {
  if (gpus == 1) return;
  table_ = tables == nullptr ? nullptr : tables->all_reduce(gpus);
  form_ = hardware::find_all_reduce(gpu, gpus);
  if (table_ == nullptr && form_ == nullptr) {
    throw UserError(Place{gpu.file, 0, 0}, fmt::format("{} has no all-reduce of {} GPUs", gpu.name, gpus),
                    fmt::format("give the profile [all_reduce.{}], or choose a tensor parallelism it has", gpus));
  }
}

double AllReduceCosts::one(std::int64_t tokens, double bytes) const {
  if (table_ == nullptr) return hardware::all_reduce_seconds(*form_, bytes);
  const auto& curve = tokens <= kLargestGraph ? table_->graph_seconds : table_->eager_seconds;
  if (form_ == nullptr) return curve.at(bytes);
  return curve.at(bytes, [this](double size) { return hardware::all_reduce_seconds(*form_, size); });
}

OperationTime AllReduceCosts::of(std::int64_t tokens, std::int64_t count, std::int64_t bytes) const {
  if (count == 0) return {Work::collective, {}};
  const double all = static_cast<double>(count) * one(tokens, static_cast<double>(bytes));
  return {Work::collective, {all, core_share_ * all}};
}

Provenance AllReduceCosts::provenance() const {
  return table_ != nullptr || form_ == nullptr ? Provenance::measured : worst_of(form_->alpha, form_->root, form_->beta);
}

}  // namespace joulecast::serving
