#include <fmt/format.h>

#include "hardware/gpu.hpp"
#include "hardware/node.hpp"

namespace joulecast::hardware {

namespace {

class Lines {
 public:
  template <class Q>
  void add(std::string key, const Figure<Q>& figure) {
    lines_.push_back({std::move(key), si_of(figure.value), figure.source, figure.kind, figure.error});
  }
  std::vector<FigureLine> take() { return std::move(lines_); }

 private:
  std::vector<FigureLine> lines_;
};

}  // namespace

std::vector<FigureLine> figures(const GpuProfile& gpu) {
  Lines lines;
  lines.add("memory", gpu.memory);
  lines.add("memory_bandwidth", gpu.memory_bandwidth);
  lines.add("peak_bf16", gpu.peak_bf16);
  lines.add("clocks.lowest", gpu.clocks.lowest);
  lines.add("clocks.highest", gpu.clocks.highest);
  lines.add("clocks.step", gpu.clocks.step);
  lines.add("clocks.reference", gpu.clocks.reference);
  lines.add("clocks.memory", gpu.clocks.memory);
  lines.add("power_limit.least", gpu.power_limit.least);
  lines.add("power_limit.standard", gpu.power_limit.standard);
  lines.add("power_limit.most", gpu.power_limit.most);
  lines.add("idle.bare", gpu.idle.bare);
  lines.add("idle.context", gpu.idle.context);
  lines.add("idle.spin_wait", gpu.idle.spin_wait);
  lines.add("switch_latency", gpu.switch_latency);
  lines.add("gemm.launch", gpu.gemm.launch);
  lines.add("gemm.compute_efficiency", gpu.gemm.compute_efficiency);
  lines.add("gemm.memory_efficiency", gpu.gemm.memory_efficiency);
  lines.add("gemm.sharpness", gpu.gemm.sharpness);
  lines.add("attention.launch", gpu.attention.launch);
  lines.add("attention.memory_efficiency", gpu.attention.memory_efficiency);
  lines.add("attention.compute_efficiency", gpu.attention.compute_efficiency);
  lines.add("clock_form.memory_bound", gpu.clock.memory_bound);
  lines.add("clock_form.context_attention", gpu.clock.context_attention);
  lines.add("clock_form.collective", gpu.clock.collective);
  lines.add("clock_form.sharpness", gpu.clock.sharpness);
  lines.add("power_split.dynamic_share", gpu.power.dynamic_share);
  lines.add("power_split.knee", gpu.power.knee);
  lines.add("power_split.voltage_ratio", gpu.power.voltage_ratio);
  lines.add("class_watts.gemm_base", gpu.watts.gemm_base);
  lines.add("class_watts.gemm_slope", gpu.watts.gemm_slope);
  lines.add("class_watts.attention", gpu.watts.attention);
  lines.add("class_watts.collective", gpu.watts.collective);
  lines.add("class_watts.elementwise", gpu.watts.elementwise);
  lines.add("class_watts.host", gpu.watts.host);
  lines.add("host_cost.step", gpu.host.step);
  lines.add("host_cost.sequence", gpu.host.sequence);
  lines.add("host_cost.layer", gpu.host.layer);
  lines.add("memory_overhead.engine", gpu.overhead.engine);
  lines.add("memory_overhead.collectives", gpu.overhead.collectives);
  lines.add("elementwise_efficiency", gpu.elementwise_efficiency);
  lines.add("bottom_up_error", gpu.bottom_up_error);
  for (const auto& form : gpu.all_reduce) {
    lines.add(fmt::format("all_reduce.{}.alpha", form.gpus), form.alpha);
    lines.add(fmt::format("all_reduce.{}.root", form.gpus), form.root);
    lines.add(fmt::format("all_reduce.{}.beta", form.gpus), form.beta);
  }
  return lines.take();
}

std::vector<FigureLine> figures(const NodeProfile& node) {
  Lines lines;
  lines.add("host", node.host);
  lines.add("fans_peak", node.fans_peak);
  lines.add("fans_peak_dc", node.fans_peak_dc);
  lines.add("fans_idle_share", node.fans_idle_share);
  lines.add("psu_rated", node.psu_rated);
  lines.add("rated", node.rated);
  for (const auto& [load, efficiency] : node.psu_efficiency.value) {
    lines.add(fmt::format("psu_efficiency at {}", load),
              Figure<double>{efficiency, node.psu_efficiency.source, node.psu_efficiency.kind, node.psu_efficiency.error});
  }
  return lines.take();
}

}  // namespace joulecast::hardware
