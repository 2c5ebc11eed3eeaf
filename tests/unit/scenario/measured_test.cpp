// A pool that names measured steps: what is refused, what the resolved file keeps, what changes.
#include <algorithm>
#include <catch2/catch.hpp>

#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

/// A file of measured steps while it lives.
struct Steps {
  static inline int made = 0;
  std::string path =
      (std::filesystem::temp_directory_path() / ("joulecast-steps-" + std::to_string(getpid()) + "-" + std::to_string(++made) + ".toml")).string();
  explicit Steps(const std::string& points, const std::string& gpus = "4") {
    std::ofstream(path) << "model = \"meta-llama/Llama-3.1-70B-Instruct\"\ngpu = \"H100 SXM\"\ntensor_parallel_size = " << gpus
                        << "\nsource = \"made up\"\npoints = [\n"
                        << points << "]\n";
  }
  ~Steps() { std::filesystem::remove(path); }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;
};

std::string naming(const std::string& path) {
  std::string text = kChat;
  text.insert(text.find("[traffic.chat]"), "measured = \"" + path + "\"\n");
  return text + "[time]\nduration = \"20 s\"\n";
}

std::string point(const std::string& batch, const std::string& step = "24 ms") {
  return "{ batch = " + batch + ", step_time = \"" + step + "\", watts = \"1900 W\", prompt_tokens = 400, output_tokens = 350 },\n";
}

}  // namespace

TEST_CASE("steps of another layout, a batch measured twice, no points and no file are refused with their place") {
  const Steps twice(point("32") + point("32.2"));
  CHECK_THAT(faults(naming(twice.path)), Catch::Contains("a batch of 32.2 was measured before, in line 6"));
  const Steps none("");
  CHECK_THAT(faults(naming(none.path)), Catch::Contains("there is no point in it"));
  const Steps bare("{ batch = 32, step_time = \"24 ms\", watts = 1900 }\n");
  CHECK_THAT(faults(naming(bare.path)), Catch::Contains("output_tokens") && Catch::Contains("prompt_tokens") && Catch::Contains("W"));
  const Steps eight(point("32"), "8");
  CHECK_THAT(faults(naming(eight.path)), Catch::Contains("x H100 SXM") && Catch::Contains("8 x") && Catch::Contains("4 x"));
  CHECK_FALSE(faults(naming("nowhere.toml")).empty());
  const Steps good(point("32"));
  CHECK_THAT(
      faults(naming(good.path) + "[engine.default]\nspeculative = { method = \"ngram\", num_speculative_tokens = 3, acceptance_rate = \"70 %\" }\n"),
      Catch::Contains("without drafts"));
}

TEST_CASE("the resolved file keeps the path and gives the same run; the file is an input; slower steps make a slower pool") {
  const Steps slow(point("8", "60 ms"));
  const Scenario through = load_text(naming(slow.path)), plain = load_text(kChat + "[time]\nduration = \"20 s\"\n");
  CHECK(std::find(through.inputs.begin(), through.inputs.end(), slow.path) != through.inputs.end());
  const std::string resolved = resolved_toml(through);
  CHECK_THAT(resolved, Catch::Contains("measured = \"" + slow.path + "\""));
  const Result first = simulate(through, {}), again = simulate(load_text(resolved), {});
  CHECK(first.traffics[0].tpot_s.mean == again.traffics[0].tpot_s.mean);
  CHECK(first.traffics[0].tpot_s.mean > 2 * simulate(plain, {}).traffics[0].tpot_s.mean);
}

TEST_CASE("measured steps are written as they are read") {
  const Steps some(point("63.8") + point("8", "17.1 ms"));
  config::Diagnostics diagnostics;
  const auto steps = hardware::load_measured_steps(some.path, diagnostics);
  REQUIRE_FALSE(diagnostics.failed());
  CHECK(steps.points.front().batch == 8);
  const std::string text = hardware::measured_steps_text(steps);
  std::ofstream(some.path) << text;
  CHECK(hardware::measured_steps_text(hardware::load_measured_steps(some.path, diagnostics)) == text);
}
