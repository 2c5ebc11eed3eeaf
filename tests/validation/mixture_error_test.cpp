// That a profile states the errors with which joules a token of unseen models come out beside published runs.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "fit/held_out.hpp"
#include "traces/power/serving_runs.hpp"
#include "validation/ml_energy.hpp"

using namespace joulecast;
using namespace joulecast::validation;

TEST_CASE("a profile's errors of dense models and of mixtures are those of four in five rows of models left out") {
  const char* data = std::getenv("JOULECAST_DATA");
  const auto file = std::filesystem::path(data == nullptr ? "" : data) / "serving/ml-energy/llm_configs.csv";
  if (data == nullptr || !std::filesystem::exists(file)) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const study::ServingRuns runs(traces::read_serving_runs(traces::TextLines(file.string())), ".");
  const auto unseen = unseen_runs(runs);
  CHECK(unseen.size() > 300);
  for (const char* gpu : {"H100 SXM", "B200 SXM"}) {
    for (const bool mixture : {false, true}) {
      INFO(gpu << (mixture ? ", mixtures" : ", dense"));
      std::vector<double> errors;
      double stated = 0;
      for (const auto& run : unseen) {
        const auto& profile = runs.gpu(*run.run);
        if (profile.name != gpu || run.mixture != mixture) continue;
        errors.push_back(std::abs(run.error()));
        REQUIRE(profile.mixture_error.has_value());
        stated = mixture ? profile.mixture_error->value : profile.bottom_up_error.value;
      }
      REQUIRE(errors.size() > 50);
      CHECK(fit::quantile(errors, 0.8) == Approx(stated).margin(0.02));
    }
  }
  // What can't be described is named, and nothing else of the two tasks is missing.
  for (const auto& each : runs.left_out()) CHECK_THAT(each, Catch::Contains("Mamba-2"));
}
