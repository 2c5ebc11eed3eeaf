#include <fmt/format.h>

#include "hardware/fabric/fabric_profile.hpp"
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

void add_fitted(Lines& lines, const std::string& prefix, const FittedEfficiency& efficiency) {
  lines.add(prefix + "gemm_derate", efficiency.gemm_derate);
  lines.add(prefix + "elementwise", efficiency.elementwise);
  lines.add(prefix + "nic", efficiency.nic);
  lines.add(prefix + "host_layer_pass", efficiency.host_layer_pass);
}

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
  if (gpu.contention) {
    lines.add("host_contention.root", gpu.contention->root);
    lines.add("host_contention.long_outputs", gpu.contention->long_outputs);
  }
  if (gpu.mixture) {
    lines.add("mixture_cost.layer", gpu.mixture->layer);
    lines.add("mixture_cost.top1_layer", gpu.mixture->top1_layer);
    lines.add("mixture_cost.quantized_layer", gpu.mixture->quantized_layer);
    lines.add("mixture_cost.visit", gpu.mixture->visit);
  }
  lines.add("memory_overhead.engine", gpu.overhead.engine);
  lines.add("memory_overhead.collectives", gpu.overhead.collectives);
  lines.add("elementwise_efficiency", gpu.elementwise_efficiency);
  lines.add("bottom_up_error", gpu.bottom_up_error);
  if (gpu.mixture_error) lines.add("mixture_error", *gpu.mixture_error);
  for (const auto& form : gpu.all_reduce) {
    lines.add(fmt::format("all_reduce.{}.alpha", form.gpus), form.alpha);
    lines.add(fmt::format("all_reduce.{}.root", form.gpus), form.root);
    lines.add(fmt::format("all_reduce.{}.beta", form.gpus), form.beta);
  }
  for (const auto& form : gpu.collectives) {
    const std::string prefix = fmt::format("collectives.{}.{}.", name(form.collective), form.gpus);
    lines.add(prefix + "alpha", form.alpha);
    lines.add(prefix + "root", form.root);
    lines.add(prefix + "beta", form.beta);
  }
  if (gpu.training) {
    lines.add("training.multiprocessors", gpu.training->multiprocessors);
    lines.add("training.gemm_launch", gpu.training->gemm_launch);
    lines.add("training.gemm_compute", gpu.training->gemm_compute);
    lines.add("training.gemm_memory", gpu.training->gemm_memory);
    lines.add("training.dynamic_share", gpu.training->dynamic_share);
    add_fitted(lines, "training.fitted.", gpu.training->fitted);
    if (gpu.training->prior) add_fitted(lines, "training.prior.", *gpu.training->prior);
  }
  return lines.take();
}

std::vector<FigureLine> figures(const FabricProfile& fabric) {
  Lines lines;
  lines.add("nics", fabric.nics);
  lines.add("nic_bandwidth", fabric.nic_bandwidth);
  lines.add("nic_efficiency", fabric.nic_efficiency);
  lines.add("leaf_ports", fabric.leaf_ports);
  lines.add("switch_ports", fabric.switch_ports);
  lines.add("oversubscription", fabric.oversubscription);
  lines.add("message_latency", fabric.message_latency);
  lines.add("hop_latency", fabric.hop_latency);
  lines.add("switch_watts", fabric.switch_watts);
  lines.add("optic_watts", fabric.optic_watts);
  lines.add("links_per_optic", fabric.links_per_optic);
  lines.add("node_link_optics", fabric.node_link_optics);
  lines.add("spine_link_optics", fabric.spine_link_optics);
  lines.add("nic_watts", fabric.nic_watts);
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
