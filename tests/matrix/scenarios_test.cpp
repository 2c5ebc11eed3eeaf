// One scenario, one result: for every file of scenarios/, any number of threads, any grouping into cells, and one event a step instead of
// stretches give the same fingerprints, the same summary.json and the same bytes of results.h5.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <thread>

#include "base/hash.hpp"
#include "report/results_h5.hpp"
#include "report/summary.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;
namespace fs = std::filesystem;

namespace {

/// What a run shows of itself.
struct Shown {
  std::string summary, series, fingerprint;
  bool operator==(const Shown&) const = default;
};

Shown show(const scenario::Result& result) {
  const fs::path file = fs::temp_directory_path() / ("joulecast-matrix-" + std::to_string(getpid()) + ".h5");
  report::write_results_h5(result, file);
  const Shown shown{report::summary_json(result), sha256_of_file(file.string()), result.fingerprint};
  fs::remove(file);
  return shown;
}

Shown run(const scenario::Scenario& scenario, const scenario::RunOptions& options) { return show(scenario::simulate(scenario, options)); }

/// The first line, "nanoseconds entity hash", in which two lists of fingerprints part; "" where they are one.
std::string first_difference(const std::string& a, const std::string& b) {
  const auto [at, ignored] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at == a.end() && a.size() == b.size()) return "";
  const auto start = a.rfind('\n', static_cast<std::size_t>(at - a.begin()));
  return a.substr(start == std::string::npos ? 0 : start + 1, 80);
}

/// Tests start in the source tree. A scenario is cut to what some thousand requests need.
scenario::Scenario shortened(const std::string& path) {
  scenario::LoadOptions options;
  options.share_dir = ".";
  const scenario::Scenario whole = scenario::load(path, options);
  double rate = 0;
  for (const auto& traffic : whole.traffics) rate += traffic.trace ? 1 : traffic.arrivals.request_rate.si();
  const double seconds = std::clamp(1500 / std::max(rate, 1e-9), 1.0, 240.0);
  options.sets = {"time.duration='" + std::to_string(seconds) + " s'", "time.warmup='0.2 s'", "time.bin='0.25 s'"};
  return scenario::load(path, options);
}

std::vector<std::string> scenarios() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator("scenarios")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("every scenario gives one result for all threads, groupings and step modes") {
  REQUIRE_FALSE(scenarios().empty());
  for (const std::string& path : scenarios()) {
    const scenario::Scenario scenario = shortened(path);
    scenario::RunOptions options;
    options.fingerprints = true;
    const Shown first = run(scenario, options);
    CHECK_FALSE(first.fingerprint.empty());
    for (const int threads : {1, 2}) {
      for (const auto grouping : {engine::Grouping::derived, engine::Grouping::one_cell, engine::Grouping::shuffled}) {
        for (const bool steps : {false, true}) {
          // A job has no steps of a serving engine, and alone it has no cells to group.
          if (scenario.pools.empty() && (steps || grouping != engine::Grouping::derived)) continue;
          options.threads = threads;
          options.grouping = grouping;
          options.grouping_seed = 7;
          options.step_mode = steps;
          const Shown other = run(scenario, options);
          CAPTURE(path, threads, static_cast<int>(grouping), steps);
          CHECK(first_difference(first.fingerprint, other.fingerprint) == "");
          CHECK(other.summary == first.summary);
          CHECK(other.series == first.series);
        }
      }
    }
  }
}

TEST_CASE("another seed gives another result") {
  const std::string path = scenarios().front();
  scenario::Scenario scenario = shortened(path);
  const Shown first = run(scenario, {});
  scenario.seed += 1;
  CHECK(run(scenario, {}).series != first.series);
}

TEST_CASE("two runs at once in one process give what each gives alone") {
  const scenario::Scenario scenario = shortened("scenarios/thousand-replicas.toml");
  scenario::RunOptions options;
  const Shown alone = run(scenario, options);
  scenario::Result at_once[2];
  {
    std::jthread one([&] { at_once[0] = scenario::simulate(scenario, {}); });
    std::jthread two([&] {
      scenario::RunOptions threaded;
      threaded.threads = 2;
      at_once[1] = scenario::simulate(scenario, threaded);
    });
  }
  CHECK(at_once[1].parallel_windows > 0);
  CHECK(show(at_once[0]) == alone);
  CHECK(show(at_once[1]) == alone);
}
