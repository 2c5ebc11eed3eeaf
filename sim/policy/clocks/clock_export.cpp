#include "policy/clocks/clock_export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>

#include "training/replay.hpp"

namespace joulecast::policy {
namespace {

const char* instruction(training::Pass pass) {
  constexpr const char* names[] = {"forward", "backward", "backward_input", "backward_weight", "gradient_sync", "optimizer"};
  return names[static_cast<std::size_t>(pass)];
}

}  // namespace

std::vector<std::vector<ClockStep>> clock_list(const training::Iteration& iteration, const training::Plan& plan) {
  std::vector<std::vector<ClockStep>> stages(static_cast<std::size_t>(iteration.stages));
  for (std::size_t i = 0; i < iteration.operations.size(); ++i) {
    const training::Operation& operation = iteration.operations[i];
    const double megahertz = training::point_of(iteration, plan, i).clock.si() / 1e6;
    stages[static_cast<std::size_t>(operation.stage)].push_back(
        {instruction(operation.pass), operation.chunk, operation.microbatch, static_cast<int>(std::lround(megahertz))});
  }
  return stages;
}

std::string clock_list_csv(const std::vector<std::vector<ClockStep>>& stages) {
  std::string text = "stage,instruction,chunk,microbatch,frequency\n";
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    for (const ClockStep& step : stages[stage]) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", stage, step.instruction, step.chunk, step.microbatch, step.frequency_mhz);
    }
  }
  return text;
}

}  // namespace joulecast::policy
