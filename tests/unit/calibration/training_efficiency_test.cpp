// The fit of training efficiencies on iterations whose truth is known.
#include "calibration/training_efficiency.hpp"

#include <catch2/catch.hpp>

using namespace joulecast;
using namespace joulecast::calibration;
using hardware::FittedEfficiency;

namespace {

FittedEfficiency prior() {
  FittedEfficiency prior;
  prior.gemm_derate = {0.9, "belief", hardware::FigureKind::modelled, 0.3};
  prior.elementwise = {0.65, "belief", hardware::FigureKind::modelled, 0.3};
  prior.nic = {0.9, "belief", hardware::FigureKind::modelled, 0.3};
  prior.host_layer_pass = {Seconds(1e-3), "belief", hardware::FigureKind::modelled, 0.5};
  return prior;
}

/// seconds = a/derate + b/elementwise + c/nic + d*host/1 ms.
TimedIteration timed(double a, double b, double c, double d, const FittedEfficiency& truth, double factor = 1) {
  const auto model = [=](const FittedEfficiency& e) {
    return a / e.gemm_derate.value + b / e.elementwise.value + c / e.nic.value + d * e.host_layer_pass.value.si() / 1e-3;
  };
  return {factor * model(truth), model};
}

}  // namespace

TEST_CASE("iterations that pull on one figure each give it back, up to the prior's pull") {
  FittedEfficiency truth = prior();
  truth.gemm_derate.value = 0.8;
  truth.elementwise.value = 0.55;
  truth.nic.value = 0.8;
  truth.host_layer_pass.value = Seconds(0.7e-3);
  std::vector<TimedIteration> runs;
  for (int i = 0; i < 20; ++i) {
    runs.push_back(timed(1, 0, 0, 0, truth));
    runs.push_back(timed(0, 1, 0, 0, truth));
    runs.push_back(timed(0, 0, 1, 0, truth));
    runs.push_back(timed(0, 0, 0, 1, truth));
  }
  const auto fit = fit_training_efficiency(prior(), runs);
  CHECK(fit.fitted.gemm_derate.value == Approx(0.8).epsilon(0.03));
  CHECK(fit.fitted.elementwise.value == Approx(0.55).epsilon(0.03));
  CHECK(fit.fitted.nic.value == Approx(0.8).epsilon(0.03));
  CHECK(fit.fitted.host_layer_pass.value.si() == Approx(0.7e-3).epsilon(0.03));
}

TEST_CASE("what iterations say nothing of stays at the prior; a single odd run does not set the rest; efficiencies end at 1") {
  FittedEfficiency truth = prior();
  truth.gemm_derate.value = 0.8;
  std::vector<TimedIteration> runs(9, timed(1, 0, 0, 0, truth));
  const auto clean = fit_training_efficiency(prior(), runs);
  CHECK(clean.fitted.nic.value == Approx(0.9));
  CHECK(clean.fitted.host_layer_pass.value.si() == Approx(1e-3));
  runs.push_back(timed(1, 0, 0, 0, truth, 2));  // twice as slow for a reason of its own
  const auto odd = fit_training_efficiency(prior(), runs);
  // Least squares would take the tenth of ln 2: 7 %.
  CHECK(odd.fitted.gemm_derate.value < clean.fitted.gemm_derate.value);
  CHECK(odd.fitted.gemm_derate.value / clean.fitted.gemm_derate.value > 0.97);
  CHECK(odd.relative_error.back() == Approx(odd.relative_error.front() / 2 - 0.5));

  const auto fast = fit_training_efficiency(prior(), std::vector<TimedIteration>(30, timed(0, 0, 1, 0, truth, 0.5)));
  CHECK(fast.fitted.nic.value == Approx(1).epsilon(1e-6));
}

TEST_CASE("one iteration gives the derate alone, exactly") {
  FittedEfficiency truth = prior();
  truth.gemm_derate.value = 0.7;
  const auto fit = fit_training_efficiency(prior(), {timed(1, 0.1, 0.1, 0.1, truth)}, true);
  CHECK(fit.fitted.gemm_derate.value == Approx(0.7).epsilon(1e-6));
  CHECK(fit.fitted.elementwise.value == 0.65);
  CHECK(fit.half_width.size() == 1);
}
