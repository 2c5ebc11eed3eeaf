// Every shipped scenario with arms runs, cut short: its arms load, get the same requests and differ.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "study/compare.hpp"

using namespace joulecast;
namespace fs = std::filesystem;

namespace {

/// Tests start in the source tree.
std::vector<std::string> with_arms() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator("scenarios")) {
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    if (entry.path().extension() == ".toml" && text.str().find("\n[compare]\n") != std::string::npos) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("every shipped comparison runs, and at least one arm differs from the reference") {
  REQUIRE(with_arms().size() >= 4);
  for (const std::string& path : with_arms()) {
    CAPTURE(path);
    scenario::LoadOptions options;
    options.share_dir = ".";
    options.sets = {"time.duration='15 s'", "time.warmup='1 s'", "compare.replications=1"};
    const auto arms = scenario::load_arms(path, options);
    const auto comparison = study::compare(arms, {2, nullptr, {}});
    REQUIRE(comparison);
    CHECK(comparison->arms.size() >= 2);
    if (arms.compare.hold == scenario::Hold::traffic) CHECK(comparison->same_requests);
    bool differs = false;
    for (const auto& arm : comparison->arms) {
      for (const auto& difference : arm.differences) differs = differs || (difference && difference->verdict != study::Verdict::same);
    }
    CHECK(differs);
  }
}
