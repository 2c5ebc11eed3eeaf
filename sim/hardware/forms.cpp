#include "hardware/forms.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::hardware {

namespace {

/// g of the power form, up to a factor.
double dynamic(const GpuProfile& gpu, double clock) {
  const double top = gpu.clocks.highest.value.si();
  const double knee = gpu.power.knee.value * top;
  if (clock <= knee || top <= knee) return clock;
  const double slope = (gpu.power.voltage_ratio.value - 1) / (top - knee);
  const double voltage = 1 + slope * (clock - knee);
  return clock * voltage * voltage;
}

}  // namespace

Timing gemm_timing(const GpuProfile& gpu, double flops, double bytes) {
  const double compute = flops / (gpu.gemm.compute_efficiency.value * gpu.peak_bf16.value.si());
  const double memory = bytes / (gpu.gemm.memory_efficiency.value * gpu.memory_bandwidth.value.si());
  const double p = gpu.gemm.sharpness.value;
  const double larger = std::max(compute, memory);
  const double total =
      gpu.gemm.launch.value.si() + (larger > 0 ? larger * std::pow(std::pow(compute / larger, p) + std::pow(memory / larger, p), 1 / p) : 0);
  return {total, std::min(total, std::max(compute, gpu.clock.memory_bound.value * total))};
}

Timing elementwise_timing(const GpuProfile& gpu, double bytes) {
  const double total = bytes / (gpu.elementwise_efficiency.value * gpu.memory_bandwidth.value.si());
  return {total, gpu.clock.memory_bound.value * total};
}

double generation_attention_seconds(const GpuProfile& gpu, double kv_bytes) {
  return gpu.attention.launch.value.si() + kv_bytes / (gpu.attention.memory_efficiency.value * gpu.memory_bandwidth.value.si());
}

double context_attention_seconds(const GpuProfile& gpu, double flops) {
  return gpu.attention.launch.value.si() + flops / (gpu.attention.compute_efficiency.value * gpu.peak_bf16.value.si());
}

double all_reduce_seconds(const AllReduceForm& form, double bytes) {
  return form.alpha.value.si() + form.root.value * std::sqrt(bytes) + bytes / form.beta.value.si();
}

const AllReduceForm* find_all_reduce(const GpuProfile& gpu, std::int64_t gpus) {
  for (const auto& form : gpu.all_reduce) {
    if (form.gpus == gpus) return &form;
  }
  return nullptr;
}

ClockScaling::ClockScaling(const GpuProfile& gpu, Hertz clock, double speed_factor)
    : core_factor_(gpu.clocks.reference.value.si() / clock.si() / speed_factor),
      sharpness_(gpu.clock.sharpness.value),
      dynamic_factor_(dynamic(gpu, clock.si()) / dynamic(gpu, gpu.clocks.reference.value.si())),
      context_watts_(gpu.idle.context.value.si()),
      dynamic_share_(gpu.power.dynamic_share.value) {
  JOULECAST_CHECK(clock.si() > 0 && speed_factor > 0, "a clock and a speed factor are positive");
}

double ClockScaling::seconds(const Timing& timing) const {
  if (core_factor_ == 1 || timing.core <= 0) return timing.total;
  if (timing.core >= timing.total) return timing.total * core_factor_;
  // t(f)/t = (1 - w + w*factor^p)^(1/p), w = (core/total)^p.
  const double w = std::pow(timing.core / timing.total, sharpness_);
  return timing.total * std::pow(1 - w + w * std::pow(core_factor_, sharpness_), 1 / sharpness_);
}

double ClockScaling::watts(double class_watts) const {
  const double dynamic_watts = std::clamp(dynamic_share_ * class_watts, 0.0, std::max(0.0, class_watts - context_watts_));
  return class_watts + dynamic_watts * (dynamic_factor_ - 1);
}

double gemm_watts(const GpuProfile& gpu, double flops, double seconds) {
  const double used = seconds > 0 ? flops / (seconds * gpu.peak_bf16.value.si()) : 0;
  return gpu.watts.gemm_base.value.si() + gpu.watts.gemm_slope.value.si() * std::sqrt(used);
}

}  // namespace joulecast::hardware
