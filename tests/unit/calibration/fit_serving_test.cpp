#include "calibration/fit_serving.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"

using namespace joulecast;
using namespace joulecast::calibration;

namespace {

/// Rows that obey the law exactly, with times whose shares of classes differ from row to row.
ServingRow dense(const std::string& gpu, std::size_t series, int n, double layers) {
  ServingRow row;
  row.gpu = gpu;
  row.series = series;
  row.sequences = n;
  row.layers = layers;
  row.power_limit = 700;
  row.gemm = 5e-3 + 2e-5 * n * layers / 32;
  row.attention = 4e-5 * n;
  row.collective = series % 2 == 0 ? 1e-3 + 1e-5 * n : 0;
  row.elementwise = 3e-6 * n;
  row.gemm_utilisation = 0.02 + 0.001 * n;
  const double host = 1e-3 + 25e-6 * n + 10e-6 * layers;
  row.step_seconds = row.gemm + row.attention + row.collective + row.elementwise + host;
  row.watts =
      (row.gemm * (364 + 350 * std::sqrt(row.gemm_utilisation)) + 630 * row.attention + 252 * row.collective + 385 * row.elementwise + 252 * host) /
      row.step_seconds;
  return row;
}

ServingRow mixture(const std::string& gpu, std::size_t series, int n, double layers, bool top1, bool quantized) {
  ServingRow row = dense(gpu, series, n, layers);
  row.expert_layers = layers;
  row.top1 = top1;
  row.quantized_layers = quantized ? layers : 0;
  row.visits = layers * n * 8;
  row.step_seconds += layers * (20e-6 + (top1 ? 150e-6 : 0) + (quantized ? 100e-6 : 0)) + row.visits * 5e-9;
  return row;
}

std::vector<ServingRow> exact_rows() {
  std::vector<ServingRow> rows;
  for (const int n : {8, 32, 64, 128, 256}) {
    rows.push_back(dense("A", 0, n, 80));
    rows.push_back(dense("A", 1, n, 32));
    rows.push_back(dense("A", 3, n, 40));
    rows.push_back(mixture("A", 4, n, 48, true, false));
    rows.push_back(mixture("A", 5, n, 94, false, true));
    rows.push_back(mixture("A", 6, n, 94, false, false));
  }
  return rows;
}

}  // namespace

TEST_CASE("rows that obey the law give its figures back: host, class watts at the centres, mixtures") {
  const auto fit = fit_serving(exact_rows());
  const auto& a = fit.of("A");
  CHECK(a.step == Approx(1e-3).epsilon(0.01));
  CHECK(a.sequence == Approx(25e-6).epsilon(0.01));
  CHECK(a.layer == Approx(10e-6).epsilon(0.01));
  CHECK(a.gemm_base == Approx(364).epsilon(0.02));
  CHECK(a.gemm_slope == Approx(350).epsilon(0.02));
  CHECK(a.attention == Approx(630).epsilon(0.02));
  CHECK(a.host == Approx(252).epsilon(0.02));
  CHECK(fit.mixture.layer == Approx(20e-6).epsilon(0.02));
  CHECK(fit.mixture.top1_layer == Approx(150e-6).epsilon(0.02));
  CHECK(fit.mixture.quantized_layer == Approx(100e-6).epsilon(0.02));
  CHECK(fit.mixture.visit == Approx(5e-9).epsilon(0.02));
  CHECK(a.shared_rows == false);
}

TEST_CASE("one run that is three times as long as it should be moves the host's time by little") {
  auto rows = exact_rows();
  const double before = fit_serving(rows).of("A").sequence;
  rows[0].step_seconds *= 3;
  CHECK(fit_serving(rows).of("A").sequence == Approx(before).epsilon(0.1));
}

TEST_CASE("the fit's figures stand in the profile, and only those of a GPU that has rows") {
  const auto fit = fit_serving(exact_rows());
  hardware::GpuProfile gpu;
  gpu.name = "A";
  const auto fitted = with_fit(gpu, fit);
  CHECK(fitted.host.sequence.value.si() == fit.of("A").sequence);
  CHECK(fitted.watts.attention.value.si() == fit.of("A").attention);
  CHECK(fitted.mixture->visit.value.si() == fit.mixture.visit);
  CHECK_FALSE(fitted.contention.has_value());
  gpu.name = "B";
  CHECK_THROWS_AS(with_fit(gpu, fit), UserError);
}
