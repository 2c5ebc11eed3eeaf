// `joulecast new policy`: what it writes compiles, stands in the registry's order, and is written once.
#include <catch2/catch.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// As much of the source tree as a new policy touches.
void copy_checkout(const Scratch& scratch) {
  fs::create_directories(scratch.path() / "sim/policy/routing");
  fs::create_directories(scratch.path() / "tests/unit/policy");
  fs::copy_file(source() / "sim/policy/registry.cpp", scratch.path() / "sim/policy/registry.cpp");
}

Ended begin(const Scratch& scratch, const std::string& name, const std::string& kind) {
  return run_joulecast({"new", "policy", name, "--kind", kind}, {scratch.path().string(), {}, 0});
}

Ended compile(const Scratch& scratch, const std::string& file) {
  return run_program({"g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror",
                      "-I" + (scratch.path() / "sim").string(), "-I" + (scratch.path() / "tests").string(), "-I" + (source() / "sim").string(),
                      "-I" + (source() / "tests").string(), (scratch.path() / file).string()},
                     {scratch.path().string(), {}, 0});
}

}  // namespace

TEST_CASE("a new policy of each kind compiles with its test and the registry that names it", "[long]") {
  const Scratch scratch;
  copy_checkout(scratch);
  const std::vector<std::pair<std::string, std::string>> kinds = {{"nearest_first", "replica"}, {"aaa_first", "pool"}};
  for (const auto& [name, kind] : kinds) {
    const Ended ended = begin(scratch, name, kind);
    CAPTURE(kind, ended.err);
    REQUIRE(ended.code == 0);
    CHECK_THAT(ended.out, Contains("sim/policy/routing/" + name + ".cpp") && Contains("tests/unit/policy/" + name + "_test.cpp"));
    CHECK_THAT(ended.err, Contains("Next:") && Contains("router." + kind + "=" + name));
    for (const std::string& file : {"sim/policy/routing/" + name + ".cpp", "tests/unit/policy/" + name + "_test.cpp"}) {
      const Ended compiled = compile(scratch, file);
      CAPTURE(file, compiled.err);
      CHECK(compiled.code == 0);
    }
  }
  const Ended registry = compile(scratch, "sim/policy/registry.cpp");
  CAPTURE(registry.err);
  CHECK(registry.code == 0);
  const std::string text = read_text(scratch.path() / "sim/policy/registry.cpp");
  CHECK(text.find("\"aaa_first\"") < text.find("\"energy_aware\""));
  CHECK(text.find("{\"least_outstanding\"") < text.find("{\"nearest_first\""));
  CHECK(text.find("{\"nearest_first\"") < text.find("{\"power_of_two\""));
}

TEST_CASE("the same again changes nothing, and what somebody wrote is never written over") {
  const Scratch scratch;
  copy_checkout(scratch);
  REQUIRE(begin(scratch, "mine", "replica").code == 0);
  const std::string registry = read_text(scratch.path() / "sim/policy/registry.cpp");
  const Ended again = begin(scratch, "mine", "replica");
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains("already there"));
  CHECK(read_text(scratch.path() / "sim/policy/registry.cpp") == registry);
  scratch.write("sim/policy/routing/mine.cpp", "// mine\n");
  const Ended refused = begin(scratch, "mine", "replica");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("mine.cpp") && Contains("is there already"));
  CHECK(read_text(scratch.path() / "sim/policy/routing/mine.cpp") == "// mine\n");
}

TEST_CASE("names that are taken or are none, kinds that are none and folders that are no checkout are refused") {
  const Scratch scratch;
  CHECK_THAT(begin(scratch, "mine", "replica").err, Contains("no checkout"));
  copy_checkout(scratch);
  CHECK_THAT(begin(scratch, "Mine", "replica").err, Contains("no name of a policy"));
  CHECK_THAT(begin(scratch, "mine", "replca").err, Contains("did you mean --kind replica"));
  CHECK_THAT(begin(scratch, "round_robin", "replica").err, Contains("registered already"));
  CHECK(begin(scratch, "round_robin", "pool").code == 2);
  CHECK(scratch.names().size() == 2);  // sim and tests, as copied
}
