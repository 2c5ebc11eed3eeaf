#include "training/work_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::training {

namespace {

/// Results of the largest tile of cuBLAS and CUTLASS kernels on one multiprocessor.
constexpr double kTileShort = 128, kTileLong = 256;

const hardware::TrainingEfficiency& efficiency_of(const hardware::GpuProfile& gpu) {
  if (!gpu.training) {
    throw UserError({gpu.file, 0, 0}, fmt::format("the profile of {} has no [training]: nothing is known of training on it", gpu.name),
                    "add [training] with its figures, or train on a GPU that has them");
  }
  return *gpu.training;
}

}  // namespace

WorkTimes::WorkTimes(const hardware::GpuProfile& gpu) : gpu_(gpu), efficiency_(efficiency_of(gpu)) {}

hardware::Timing WorkTimes::product(double flops, double bytes) const {
  const double rate = efficiency_.fitted.gemm_derate.value * efficiency_.gemm_compute.value * gpu_.peak_bf16.value.si();
  const double compute = flops / rate;
  const double memory = bytes / (efficiency_.gemm_memory.value * gpu_.memory_bandwidth.value.si());
  const double total = efficiency_.gemm_launch.value.si() + std::max(compute, memory);
  return {total, std::min(total, std::max(compute, gpu_.clock.memory_bound.value * total))};
}

double WorkTimes::waves(const Matrix& matrix) const {
  const double sms = efficiency_.multiprocessors.value;
  const auto with = [&](double rows, double columns) {
    rows = std::min(rows, matrix.m);
    columns = std::min(columns, matrix.n);
    const double tiles = std::ceil(matrix.m / rows) * std::ceil(matrix.n / columns);
    return std::ceil(tiles / sms) * sms * rows * columns / (matrix.m * matrix.n);
  };
  return std::min(with(kTileShort, kTileLong), with(kTileLong, kTileShort));
}

TimedWork WorkTimes::gemm(const Matrix& matrix) const {
  auto timing = product(matrix.flops() * waves(matrix), matrix.bytes());
  timing.total *= matrix.times;
  timing.core *= matrix.times;
  return {Work::gemm, timing, matrix.times * matrix.flops()};
}

TimedWork WorkTimes::attention_product(double flops, double bytes) const { return {Work::attention, product(flops, bytes)}; }

TimedWork WorkTimes::flash_attention(double flops) const {
  const double total = hardware::context_attention_seconds(gpu_, flops);
  return {Work::attention, {total, gpu_.clock.context_attention.value * total}};
}

TimedWork WorkTimes::elementwise(double bytes, Work work) const {
  const double total = bytes / (efficiency_.fitted.elementwise.value * gpu_.memory_bandwidth.value.si());
  return {work, {total, gpu_.clock.memory_bound.value * total}};
}

TimedWork WorkTimes::collective(double seconds, bool in_node) const {
  return {Work::collective, {seconds, in_node ? gpu_.clock.collective.value * seconds : 0}};
}

double WorkTimes::host_layer_pass() const { return efficiency_.fitted.host_layer_pass.value.si(); }

hardware::GpuProfile training_power(hardware::GpuProfile gpu) {
  gpu.power.dynamic_share = efficiency_of(gpu).dynamic_share;
  return gpu;
}

}  // namespace joulecast::training
