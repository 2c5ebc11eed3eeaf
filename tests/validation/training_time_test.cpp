// Training time against measured iterations: the profile's figures are what the fit gives, and every entry keeps its tolerance.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "validation/dgxc.hpp"
#include "validation/training_run.hpp"
#include "validation/vtrain.hpp"

using namespace joulecast;
using namespace joulecast::validation;

namespace {

Sources sources() {
  const char* given = std::getenv("JOULECAST_DATA");
  return {given == nullptr ? "" : given, "."};
}

void check_group(const std::string& prefix) {
  for (const Outcome& outcome : validate(comparisons(), sources(), prefix)) {
    CAPTURE(outcome.entry.id, outcome.entry.expected, outcome.entry.tolerance);
    REQUIRE(outcome.ours);
    CAPTURE(outcome.ours->value);
    CHECK(outcome.verdict == Verdict::pass);
  }
}

}  // namespace

TEST_CASE("A100's efficiencies in the profile are what the fit on vTrain's ten rows gives, and the other rows keep their tolerances") {
  const auto comparison = vtrain_multi(sources());
  if (!comparison) {
    WARN("skipped: JOULECAST_DATA names no folder with training/vtrain");
    return;
  }
  WARN(vtrain_table(sources()));
  const auto profile = shipped_gpu(sources(), "A100 SXM 80").training.value().fitted;
  const auto& fitted = comparison->fit.fitted;
  CHECK(fitted.gemm_derate.value == Approx(profile.gemm_derate.value).epsilon(2e-3));
  CHECK(fitted.elementwise.value == Approx(profile.elementwise.value).epsilon(2e-3));
  CHECK(fitted.nic.value == Approx(profile.nic.value).epsilon(2e-3));
  CHECK(fitted.host_layer_pass.value.si() == Approx(profile.host_layer_pass.value.si()).epsilon(2e-3));
  CHECK(comparison->fit.half_width[0] == Approx(*profile.gemm_derate.error).margin(0.01));
  CHECK(comparison->fit.half_width[1] == Approx(*profile.elementwise.error).margin(0.01));
  CHECK(comparison->fit.half_width[2] == Approx(*profile.nic.error).margin(0.01));
  CHECK(comparison->fit.half_width[3] == Approx(*profile.host_layer_pass.error).margin(0.01));
  CHECK(std::count_if(comparison->rows.begin(), comparison->rows.end(), [](const auto& row) { return row.fitted; }) == 10);
  CHECK(comparison->rows.size() == 52);
  check_group("training.vtrain");
}

TEST_CASE("Megatron's iterations keep their tolerances, not refitted") { check_group("training.megatron"); }

TEST_CASE("H100's derate in the profile is what the 128-GPU point gives; the first doubling of GPT-3 175B costs most") {
  const auto series = dgxc_series(sources());
  const auto profile = shipped_gpu(sources(), "H100 SXM").training.value().fitted;
  CHECK(series.fitted.gemm_derate.value == Approx(profile.gemm_derate.value).epsilon(2e-3));
  std::string text;
  for (const auto* each : {&series.gpt3, &series.llama}) {
    for (const auto& point : *each) {
      text += fmt::format("{:>5} GPUs {:>8.3f} s {:>8.3f} s {:>+5.2f} %\n", point.gpus, point.measured, point.modelled,
                          100 * (point.modelled / point.measured - 1));
    }
  }
  WARN(text);
  for (std::size_t i = 2; i < series.gpt3.size(); ++i) {
    CHECK(series.gpt3[1].modelled - series.gpt3[0].modelled > series.gpt3[i].modelled - series.gpt3[i - 1].modelled);
  }
  check_group("training.h100");
}

TEST_CASE("a node of H100 in training draws what was measured, from the model alone") { check_group("hardware.node.h100_training_blind"); }
