#include "report/run_folder.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "unit/report/sample.hpp"

using namespace joulecast;
using namespace joulecast::report;
namespace fs = std::filesystem;

namespace {

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename().string());
  return found;
}

RunFiles files() { return {{"0.1.0", "abc", "g++ 12", "host", 2, 1.5, 2.5}, "schema = 1\n", "the tables\n", false}; }

}  // namespace

TEST_CASE("a run's folder holds its files, and nothing lies beside it") {
  const test::Scratch scratch;
  write_run(scratch / "runs/a", false, test::sample(), files());
  CHECK(names(scratch / "runs") == std::set<std::string>{"a"});
  CHECK(names(scratch / "runs/a") ==
        std::set<std::string>{"run.json", "scenario.resolved.toml", "summary.json", "summary.csv", "report.html", "report.txt", "results.h5"});
  CHECK(occupant(scratch / "runs/a") == Occupant::whole_run);
  CHECK(test::content(scratch / "runs/a/report.txt") == "the tables\n");
  const auto run = nlohmann::json::parse(test::content(scratch / "runs/a/run.json"));
  CHECK(run["events"] == 123456);
  CHECK(run["parallel_windows"] == 17);
  CHECK(run["threads"] == 2);
  CHECK(run["seed"] == 7);
  CHECK(run["inputs"][0]["sha256"] == std::string(64, 'a'));
  CHECK_FALSE(run.contains("fingerprint"));
}

TEST_CASE("equal runs differ in run.json alone") {
  const test::Scratch scratch;
  write_run(scratch / "a", false, test::sample(), files());
  RunFiles later = files();
  later.facts.wall_s = 9;
  write_run(scratch / "b", false, test::sample(), later);
  for (const auto& name : names(scratch / "a")) {
    INFO(name);
    CHECK((test::content((scratch / "a") / name) == test::content((scratch / "b") / name)) == (name != "run.json"));
  }
}

TEST_CASE("another run's output is replaced only when told, other folders never") {
  const test::Scratch scratch;
  write_run(scratch / "a", false, test::sample(), files());
  const std::string before = test::content(scratch / "a/summary.json");
  scenario::Result other = test::sample();
  other.seed = 8;
  CHECK_THROWS_AS(write_run(scratch / "a", false, other, files()), UserError);
  CHECK(test::content(scratch / "a/summary.json") == before);
  CHECK(names(scratch.path()) == std::set<std::string>{"a"});
  write_run(scratch / "a/", true, other, files());
  CHECK(test::content(scratch / "a/summary.json") != before);
  CHECK(names(scratch.path()) == std::set<std::string>{"a"});

  fs::create_directory(scratch / "mine");
  std::ofstream(scratch / "mine/thesis.tex") << "text";
  CHECK_THROWS_AS(write_run(scratch / "mine", true, other, files()), UserError);
  CHECK_THROWS_AS(write_run(scratch / "mine/thesis.tex", true, other, files()), UserError);
  CHECK(names(scratch / "mine") == std::set<std::string>{"thesis.tex"});
  fs::create_directory(scratch / "empty");
  write_run(scratch / "empty", false, other, files());
  CHECK(occupant(scratch / "empty") == Occupant::whole_run);
}

TEST_CASE("an exception on the way leaves nothing") {
  const test::Scratch scratch;
  try {
    RunFolder folder(scratch / "a", false);
    folder.open();
    folder.write("summary.json", "{}");
    CHECK(names(scratch.path()).size() == 1);
    throw std::runtime_error("on the way");
  } catch (const std::runtime_error&) {
  }
  CHECK(names(scratch.path()).empty());

  scenario::Result broken = test::sample();
  broken.energy.pools[0].name = "a/b";
  CHECK_THROWS_AS(write_run(scratch / "a", false, broken, files()), Bug);
  CHECK(names(scratch.path()).empty());
}

TEST_CASE("a partial result is written and says so") {
  const test::Scratch scratch;
  scenario::Result result = test::sample();
  result.partial = true;
  write_run(scratch / "a", false, result, files());
  CHECK(nlohmann::json::parse(test::content(scratch / "a/summary.json"))["partial"] == true);
  CHECK(occupant(scratch / "a") == Occupant::partial_run);
}

TEST_CASE("requests are written where asked for") {
  const test::Scratch scratch;
  scenario::Result result = test::sample();
  result.requests = {{"chat", std::make_shared<serving::RequestTable>()}};
  RunFiles with = files();
  with.requests = true;
  write_run(scratch / "a", false, result, with);
  CHECK_THAT(test::content(scratch / "a/requests.csv"), Catch::StartsWith("traffic,number,arrival_s"));
}

TEST_CASE("a folder that cannot be made is the user's to change") {
  const test::Scratch scratch;
  std::ofstream(scratch / "file") << "text";
  CHECK_THROWS_AS(write_run(scratch / "file/a", false, test::sample(), files()), UserError);
}
