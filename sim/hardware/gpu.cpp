#include "hardware/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace joulecast::hardware {

namespace {

using config::Bounds;
using config::Record;

const Bounds kPositive = Bounds::positive();
const Bounds kNotNegative = Bounds::not_negative();
const Bounds kShare = Bounds::between(0, 1);
const Bounds kEfficiency{0, 1, true};
const Bounds kSharpness = Bounds::between(1, 64);

Record<Clocks> clocks_record() {
  Record<Clocks> r("clocks");
  figure(r, "lowest", &Clocks::lowest, kPositive, "lowest SM clock that can be locked");
  figure(r, "highest", &Clocks::highest, kPositive, "highest SM clock");
  figure(r, "step", &Clocks::step, kPositive, "distance of two SM clocks");
  figure(r, "reference", &Clocks::reference, kPositive, "SM clock of the profile's times and watts; what \"auto\" runs at");
  figure(r, "memory", &Clocks::memory, kPositive, "memory clock");
  r.check([](const Clocks& c, const Place& place, config::Diagnostics& diagnostics) {
    const bool rising = c.lowest.value <= c.reference.value && c.reference.value <= c.highest.value;
    if (!rising) diagnostics.error(place, "the clocks do not rise", "give lowest <= reference <= highest");
  });
  return r;
}

Record<PowerLimit> power_limit_record() {
  Record<PowerLimit> r("power_limit");
  figure(r, "least", &PowerLimit::least, kPositive, "lowest board power limit");
  figure(r, "standard", &PowerLimit::standard, kPositive, "default board power limit");
  figure(r, "most", &PowerLimit::most, kPositive, "highest board power limit");
  r.check([](const PowerLimit& p, const Place& place, config::Diagnostics& diagnostics) {
    const bool rising = p.least.value <= p.standard.value && p.standard.value <= p.most.value;
    if (!rising) diagnostics.error(place, "the power limits do not rise", "give least <= standard <= most");
  });
  return r;
}

Record<IdleWatts> idle_record() {
  Record<IdleWatts> r("idle");
  figure(r, "bare", &IdleWatts::bare, kNotNegative, "no process has a context");
  figure(r, "context", &IdleWatts::context, kNotNegative, "a model is loaded, nothing runs");
  figure(r, "spin_wait", &IdleWatts::spin_wait, kNotNegative, "a collective waits for a peer");
  return r;
}

Record<GemmForm> gemm_record() {
  Record<GemmForm> r("gemm");
  figure(r, "launch", &GemmForm::launch, kNotNegative, "t0 of the form");
  figure(r, "compute_efficiency", &GemmForm::compute_efficiency, kEfficiency, "share of the peak that large GEMMs reach");
  figure(r, "memory_efficiency", &GemmForm::memory_efficiency, kEfficiency, "share of the bandwidth that thin GEMMs reach");
  figure(r, "sharpness", &GemmForm::sharpness, kSharpness, "p of the form");
  return r;
}

Record<AttentionForm> attention_record() {
  Record<AttentionForm> r("attention");
  figure(r, "launch", &AttentionForm::launch, kNotNegative, "t0 of the form");
  figure(r, "memory_efficiency", &AttentionForm::memory_efficiency, kEfficiency, "share of the bandwidth at which KV is read");
  figure(r, "compute_efficiency", &AttentionForm::compute_efficiency, kEfficiency, "share of the peak that prompts reach");
  return r;
}

Record<ClockForm> clock_form_record() {
  Record<ClockForm> r("clock_form");
  figure(r, "memory_bound", &ClockForm::memory_bound, kShare, "core-side share of the time of memory-bound work");
  figure(r, "context_attention", &ClockForm::context_attention, kShare, "core-side share of prompt attention");
  figure(r, "collective", &ClockForm::collective, kShare, "core-side share of collectives");
  figure(r, "sharpness", &ClockForm::sharpness, kSharpness, "p of the clock form");
  return r;
}

Record<PowerSplit> power_split_record() {
  Record<PowerSplit> r("power_split");
  figure(r, "dynamic_share", &PowerSplit::dynamic_share, kShare, "core-dynamic watts over the class watts");
  figure(r, "knee", &PowerSplit::knee, kShare, "share of the highest clock below which the voltage is flat");
  figure(r, "voltage_ratio", &PowerSplit::voltage_ratio, Bounds::between(1, 3), "voltage at the highest clock over the flat one");
  return r;
}

Record<ClassWatts> class_watts_record() {
  Record<ClassWatts> r("class_watts");
  figure(r, "gemm_base", &ClassWatts::gemm_base, kPositive, "watts of a GEMM that computes next to nothing");
  figure(r, "gemm_slope", &ClassWatts::gemm_slope, kNotNegative, "times the root of FLOP/(time*peak)");
  figure(r, "attention", &ClassWatts::attention, kPositive, "watts in attention");
  figure(r, "collective", &ClassWatts::collective, kPositive, "watts in collectives");
  figure(r, "elementwise", &ClassWatts::elementwise, kPositive, "watts in elementwise work");
  figure(r, "host", &ClassWatts::host, kPositive, "watts while the host prepares a step");
  return r;
}

Record<HostCost> host_cost_record() {
  Record<HostCost> r("host_cost");
  figure(r, "step", &HostCost::step, kNotNegative, "host time of a step");
  figure(r, "sequence", &HostCost::sequence, kNotNegative, "and a sequence");
  figure(r, "layer", &HostCost::layer, kNotNegative, "and a layer");
  return r;
}

Record<HostContention> host_contention_record() {
  Record<HostContention> r("host_contention");
  figure(r, "root", &HostContention::root, kNotNegative, "on a shared host: times the root of the sequences");
  figure(r, "long_outputs", &HostContention::long_outputs, kNotNegative, "and a step where answers run to thousands of tokens");
  return r;
}

Record<MixtureCost> mixture_cost_record() {
  Record<MixtureCost> r("mixture_cost");
  figure(r, "layer", &MixtureCost::layer, kNotNegative, "routing and sorting of a layer of experts");
  figure(r, "top1_layer", &MixtureCost::top1_layer, kNotNegative, "more in a layer where a token goes to one expert");
  figure(r, "quantized_layer", &MixtureCost::quantized_layer, kNotNegative, "more in a layer whose activations are scaled to fp8 in blocks");
  figure(r, "visit", &MixtureCost::visit, kNotNegative, "a visit of a token to an expert in a layer");
  return r;
}

Record<MemoryOverhead> memory_overhead_record() {
  Record<MemoryOverhead> r("memory_overhead");
  figure(r, "engine", &MemoryOverhead::engine, kNotNegative, "activations, graphs and context of the engine");
  figure(r, "collectives", &MemoryOverhead::collectives, kNotNegative, "NCCL's buffers at more than one GPU");
  return r;
}

Record<AllReduceForm> all_reduce_record() {
  Record<AllReduceForm> r("all_reduce");
  figure(r, "alpha", &AllReduceForm::alpha, kNotNegative, "latency");
  figure(r, "root", &AllReduceForm::root, kNotNegative, "seconds a root of a byte");
  figure(r, "beta", &AllReduceForm::beta, kPositive, "bytes a second of large messages");
  return r;
}

void read_path(std::string& path, const config::Node& node, config::Diagnostics& diagnostics) {
  if (const auto* text = node.as<std::string>()) {
    path = text->empty() ? *text : config::resolve_path(*text, node.place());
  } else {
    diagnostics.error(node.place(), "expected a path, read " + std::string(node.kind()), "write it as a string");
  }
}

Record<TableFiles> tables_record() {
  Record<TableFiles> r("tables");
  // A path is relative to the file that writes it, which may be one that this profile extends.
  r.custom("operations", "string", "\"\"", "measured operation tables, relative to this file",
           [](TableFiles& tables, const config::Node& node, config::Diagnostics& diagnostics) { read_path(tables.operations, node, diagnostics); });
  r.custom("layers", "list of string", "[]", "measured layer tables, relative to this file",
           [](TableFiles& tables, const config::Node& node, config::Diagnostics& diagnostics) {
             const auto* list = node.as<config::Node::Array>();
             if (list == nullptr) {
               diagnostics.error(node.place(), "expected a list of paths, read " + std::string(node.kind()), "write layers = [\"table.toml\"]");
               return;
             }
             for (const auto& one : *list) read_path(tables.layers.emplace_back(), one, diagnostics);
           });
  return r;
}

void read_all_reduce(GpuProfile& gpu, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "\"all_reduce\" is not a table", "write [all_reduce.2], [all_reduce.4], ..: one a number of GPUs");
    return;
  }
  const auto record = all_reduce_record();
  for (const auto& entry : table->entries) {
    std::int64_t gpus = 0;
    const char* end = entry.key.data() + entry.key.size();
    const auto parsed = std::from_chars(entry.key.data(), end, gpus);
    if (parsed.ec != std::errc{} || parsed.ptr != end || gpus < 2) {
      diagnostics.error(entry.place, fmt::format("\"{}\" is no number of GPUs of at least 2", entry.key), "write [all_reduce.2], [all_reduce.4], ..");
      continue;
    }
    auto form = record.read(*entry.value, diagnostics);
    form.gpus = gpus;
    gpu.all_reduce.push_back(std::move(form));
  }
  std::sort(gpu.all_reduce.begin(), gpu.all_reduce.end(), [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
}

Record<GpuProfile> gpu_record() {
  Record<GpuProfile> r("GPU profile");
  r.required("name", &GpuProfile::name, Bounds::any(), "name of the GPU");
  r.optional("aliases", &GpuProfile::aliases, "[]", Bounds::any(), "other names it answers to");
  figure(r, "memory", &GpuProfile::memory, kPositive, "device memory as CUDA reports it");
  figure(r, "memory_bandwidth", &GpuProfile::memory_bandwidth, kPositive, "rated memory bandwidth");
  figure(r, "peak_bf16", &GpuProfile::peak_bf16, kPositive, "rated dense bf16 and fp16 rate");
  r.table("clocks", &GpuProfile::clocks, clocks_record(), "clocks", true);
  r.table("power_limit", &GpuProfile::power_limit, power_limit_record(), "board power limit", true);
  r.table("idle", &GpuProfile::idle, idle_record(), "watts without work", true);
  figure(r, "switch_latency", &GpuProfile::switch_latency, kNotNegative, "from asking for a clock to its effect");
  r.table("gemm", &GpuProfile::gemm, gemm_record(), "GEMM form", true);
  r.table("attention", &GpuProfile::attention, attention_record(), "attention form", true);
  r.table("clock_form", &GpuProfile::clock, clock_form_record(), "time against the SM clock", true);
  r.table("power_split", &GpuProfile::power, power_split_record(), "watts against the SM clock", true);
  r.table("class_watts", &GpuProfile::watts, class_watts_record(), "watts by class of work at the reference clock", true);
  r.table("host_cost", &GpuProfile::host, host_cost_record(), "host time of a step", true);
  r.table("host_contention", &GpuProfile::contention, host_contention_record(), "host time of a step where the node's CPUs are shared");
  r.table("mixture_cost", &GpuProfile::mixture, mixture_cost_record(), "what layers of experts take beside their GEMMs");
  r.table("memory_overhead", &GpuProfile::overhead, memory_overhead_record(), "memory that weights and KV can't have", true);
  figure(r, "elementwise_efficiency", &GpuProfile::elementwise_efficiency, kEfficiency, "share of the bandwidth of elementwise work");
  figure(r, "bottom_up_error", &GpuProfile::bottom_up_error, kPositive, "error of joules a token of a dense model never measured here");
  figure(r, "mixture_error", &GpuProfile::mixture_error, kPositive, "the same of a mixture of experts");
  r.table("training", &GpuProfile::training, training_efficiency_record(), "efficiencies of training iterations");
  r.custom("all_reduce", "tables", "absent", "in-node all-reduce by number of GPUs", read_all_reduce);
  r.custom(
      "collectives", "tables", "absent", "other collectives in a node, by name and number of GPUs",
      [](GpuProfile& gpu, const config::Node& node, config::Diagnostics& diagnostics) { read_collective_forms(gpu.collectives, node, diagnostics); });
  r.table("tables", &GpuProfile::tables, tables_record(), "measured tables");
  return r;
}

}  // namespace

std::vector<Hertz> GpuProfile::clock_list() const {
  // Whole steps from the lowest clock, counted in kHz so that no rounding adds up.
  const auto khz = [](Hertz f) { return std::llround(f.si() / 1e3); };
  const auto lowest = khz(clocks.lowest.value), highest = khz(clocks.highest.value), step = khz(clocks.step.value);
  std::vector<Hertz> list;
  for (auto at = lowest; at < highest; at += step) list.push_back(Hertz(static_cast<double>(at) * 1e3));
  list.push_back(Hertz(static_cast<double>(highest) * 1e3));
  return list;
}

GpuProfile load_gpu(const std::string& path, config::Diagnostics& diagnostics) {
  const auto root = config::load(path);
  auto gpu = gpu_record().read(root, diagnostics);
  gpu.file = path;
  return gpu;
}

}  // namespace joulecast::hardware
