#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/forms.hpp"
#include "hardware/operation_table.hpp"
#include "hardware/profiles.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

TEST_CASE("decode attention of heads that no table has: scaled from half the heads it is nearer to the measured one than the form is") {
  for (const std::string name : {"a100-sxm-80gb", "h100-sxm"}) {
    config::Diagnostics diagnostics;
    const auto gpu = load_gpu(find_profile(gpu_folder("."), "GPU", name, {}), diagnostics);
    diagnostics.throw_if_failed();
    const auto tables = OperationTables::read_file(gpu.tables.operations);
    for (const auto& [heads, kv_heads] : {std::pair{8, 8}, {16, 4}, {24, 8}, {32, 4}, {32, 8}, {64, 8}}) {
      INFO(name << " " << heads << "/" << kv_heads);
      const auto* measured = tables.generation_attention(heads, kv_heads);
      const auto* half = tables.generation_attention(heads / 2, kv_heads / 2);
      REQUIRE(measured != nullptr);
      REQUIRE(half != nullptr);
      const OperationTables::ScaledGeneration scaled{half, 2};
      std::vector<double> errors, of_form;
      for (std::size_t i = 0; i < measured->seconds.rows().size(); ++i) {
        const double n = measured->seconds.rows()[i];
        const auto& curve = measured->seconds.curves()[i];
        for (std::size_t k = 0; k < curve.knots().size(); ++k) {
          const double context = curve.knots()[k];
          if (context < 16) continue;
          errors.push_back(std::abs(scaled.seconds(n, context) / curve.values()[k] - 1));
          of_form.push_back(std::abs(generation_attention_seconds(gpu, 2.0 * kv_heads * 128 * 2 * n * context) / curve.values()[k] - 1));
        }
      }
      REQUIRE(errors.size() > 40);
      std::sort(errors.begin(), errors.end());
      std::sort(of_form.begin(), of_form.end());
      const auto median = [](const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; };
      CHECK(median(errors) <= 0.06);
      CHECK(errors[errors.size() * 9 / 10] <= 0.2);
      CHECK(median(errors) < median(of_form));
    }
  }
}
