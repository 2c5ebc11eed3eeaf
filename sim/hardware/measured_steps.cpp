#include "hardware/measured_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/record.hpp"

namespace joulecast::hardware {
namespace {

using config::Bounds;
using config::Record;

Record<MeasuredStep> step_record() {
  Record<MeasuredStep> record("point");
  record.place(&MeasuredStep::place)
      .required("batch", &MeasuredStep::batch, Bounds::between(1, 1e6), "mean sequences of the replica")
      .required("step_time", &MeasuredStep::step_time, Bounds::positive(), "mean time of a step, prompts included: batch over output tokens a second")
      .required("watts", &MeasuredStep::watts, Bounds::positive(), "mean watts of all GPUs of the replica together")
      .required("prompt_tokens", &MeasuredStep::prompt_tokens, Bounds::positive(), "mean of a request")
      .required("output_tokens", &MeasuredStep::output_tokens, Bounds::between(1, 1e9), "mean of a request");
  return record;
}

void read_points(MeasuredSteps& steps, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto* list = node.as<config::Node::Array>();
  if (list == nullptr || list->empty()) {
    diagnostics.error(node.place(), list == nullptr ? "expected a list of points, read " + std::string(node.kind()) : "there is no point in it",
                      R"(write points = [ { batch = 64, step_time = "14.2 ms", watts = "480 W", prompt_tokens = 400, output_tokens = 700 } ])");
    return;
  }
  const auto record = step_record();
  for (const config::Node& each : *list) steps.points.push_back(record.read(each, diagnostics));
}

/// Whole batches are what a step has: two of one are one point measured twice.
void check_batches(const MeasuredSteps& steps, const Place&, config::Diagnostics& diagnostics) {
  for (std::size_t i = 1; i < steps.points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const MeasuredStep &a = steps.points[j], &b = steps.points[i];
      if (std::llround(a.batch) != std::llround(b.batch)) continue;
      diagnostics.error(b.place, fmt::format("a batch of {:g} was measured before, in line {}", b.batch, a.place.line),
                        "keep one of them, or their mean");
    }
  }
}

Record<MeasuredSteps> steps_record() {
  Record<MeasuredSteps> record("measured steps");
  record.place(&MeasuredSteps::place)
      .required("model", &MeasuredSteps::model, Bounds::any(), "architecture, by Hugging Face id or path")
      .required("gpu", &MeasuredSteps::gpu, Bounds::any(), "GPU profile, by name")
      .required("tensor_parallel_size", &MeasuredSteps::tensor_parallel_size, Bounds::between(1, 64), "GPUs of the replica")
      .optional("quantization", &MeasuredSteps::quantization, "as the architecture stores them", Bounds::any(), "of the weights")
      .optional("enable_expert_parallel", &MeasuredSteps::enable_expert_parallel, "false", Bounds::any(), "whole experts on each GPU")
      .required("source", &MeasuredSteps::source, Bounds::any(), "who measured the points, and how")
      .custom("points", "list of { batch, step_time, watts, prompt_tokens, output_tokens }", "", "what was measured", read_points, true)
      .check(check_batches);
  return record;
}

}  // namespace

MeasuredSteps load_measured_steps(const std::string& path, config::Diagnostics& diagnostics) {
  auto steps = steps_record().read(config::load(path), diagnostics);
  steps.file = path;
  std::sort(steps.points.begin(), steps.points.end(), [](const MeasuredStep& a, const MeasuredStep& b) { return a.batch < b.batch; });
  return steps;
}

std::string measured_steps_text(const MeasuredSteps& steps) {
  std::string text = fmt::format("model = {}\ngpu = {}\ntensor_parallel_size = {}\n", config::quoted(steps.model), config::quoted(steps.gpu),
                                 steps.tensor_parallel_size);
  if (!steps.quantization.empty()) text += fmt::format("quantization = {}\n", config::quoted(steps.quantization));
  if (steps.enable_expert_parallel) text += "enable_expert_parallel = true\n";
  text += fmt::format("source = {}\npoints = [\n", config::quoted(steps.source));
  for (const MeasuredStep& each : steps.points) {
    text += fmt::format("  {{ batch = {:.1f}, step_time = \"{:.4g} ms\", watts = \"{:.5g} W\", prompt_tokens = {:.1f}, output_tokens = {:.1f} }},\n",
                        each.batch, 1e3 * each.step_time.si(), each.watts.si(), each.prompt_tokens, each.output_tokens);
  }
  return text + "]\n";
}

}  // namespace joulecast::hardware
