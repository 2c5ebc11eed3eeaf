// The same errors in all arms: levels that are in doubt, differences that are not.
#include "study/compare_draws.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "study/compare.hpp"

using namespace joulecast;
using namespace joulecast::study;

namespace {

const std::string kArms = R"(schema = 1
[site.here]
pue = 1.25
[time]
duration = "40 s"
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-70B-Instruct"
tensor_parallel_size = 4
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "4 /s"
[compare]
reference = "plain"
[compare.arm.plain]
[compare.arm.twin]
pool.chat.replicas = 2
[compare.arm.locked]
pool.chat.sm_clock = "1410 MHz"
)";

scenario::Arms arms() {
  const auto path = std::filesystem::temp_directory_path() / ("joulecast-compare-draws-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << kArms;
  auto loaded = scenario::load_arms(path.string(), {{}, {}, "."});
  std::filesystem::remove(path);
  return loaded;
}

struct Drawn {
  Comparison comparison;
  CompareDraws draws;
  std::size_t figure(const std::string& key) const {
    const auto found = std::find_if(comparison.figures.begin(), comparison.figures.end(), [&](const Figure& each) { return each.key == key; });
    REQUIRE(found != comparison.figures.end());
    return static_cast<std::size_t>(found - comparison.figures.begin());
  }
};

Drawn drawn(std::size_t count, int threads) {
  const scenario::Arms loaded = arms();
  CompareOptions options;
  options.threads = threads;
  Comparison comparison = *compare(loaded, options);
  CompareDraws draws = *draw_arms(loaded, comparison, count, options);
  return {std::move(comparison), std::move(draws)};
}

constexpr std::size_t kPlain = 0, kTwin = 1, kLocked = 2;  // in the order of the file

}  // namespace

TEST_CASE("An arm that is the reference under another name differs by nothing in every draw") {
  const Drawn d = drawn(12, 2);
  REQUIRE(d.comparison.arms[kPlain].name == "plain");
  REQUIRE(d.comparison.arms[kTwin].name == "twin");
  for (std::size_t f = 0; f < d.comparison.figures.size(); ++f) {
    CHECK(d.draws.arms[kPlain].values[f] == d.draws.arms[kTwin].values[f]);
    if (d.draws.arms[kTwin].differences[f]) CHECK(d.draws.arms[kTwin].differences[f]->verdict == Verdict::same);
  }
}

TEST_CASE("Levels are as sure as the profiles, differences surer: what arms share cancels") {
  const Drawn d = drawn(30, 2);
  const std::size_t energy = d.figure("energy_joules.facility");
  const auto relative = [](const fit::Interval& interval, double over) { return (interval.high - interval.low) / 2 / std::abs(over); };
  const double level = relative(*d.draws.arms[kPlain].levels[energy], d.comparison.arms[kPlain].once.values[energy]);
  REQUIRE(d.draws.arms[kLocked].differences[energy]);
  const DrawnDifference& difference = *d.draws.arms[kLocked].differences[energy];
  const double apart = relative(difference.absolute, d.comparison.arms[kPlain].once.values[energy]);
  CHECK(level > 0.04);
  CHECK(apart < level);
  CHECK(difference.verdict == Verdict::lower);
  CHECK(difference.lower_in > 0.9);
  CHECK(difference.relative->high < 0);
  CHECK(difference.absolute.low <= difference.absolute.high);
}

TEST_CASE("An arm's own sources are drawn in it alone, and are among the comparison's") {
  const Drawn d = drawn(10, 1);
  const auto has = [&](const std::string& name) {
    return std::count_if(d.draws.sources.begin(), d.draws.sources.end(), [&](const auto& each) { return each.name == name; });
  };
  CHECK(has("H100 SXM voltage knee") == 1);  // of the locked arm
  CHECK(has("H100 SXM GEMM watts") == 1);
  for (const auto& normals : d.draws.normals) CHECK(normals.size() == d.draws.sources.size());
}

TEST_CASE("Draws of a comparison are the same for any number of threads") {
  const Drawn one = drawn(10, 1), three = drawn(10, 3);
  for (std::size_t a = 0; a < one.draws.arms.size(); ++a) CHECK(one.draws.arms[a].values == three.draws.arms[a].values);
}
