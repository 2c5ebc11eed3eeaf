// What a person gets for a command line: help, versions, mistakes.
#include <catch2/catch.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("help is a result: on stdout, exit 0, with examples") {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"run", "--help"}, {"check", "-h"}, {"schema", "--help"}, {"validate", "--help"}}) {
    const Ended ended = run_joulecast(words);
    CAPTURE(words);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, Contains("Examples:"));
    CHECK(ended.err.empty());
  }
}

TEST_CASE("a call without a command shows the help as a message and exits 2") {
  const Ended ended = run_joulecast({});
  CHECK(ended.code == 2);
  CHECK(ended.out.empty());
  CHECK_THAT(ended.err, Contains("run") && Contains("validate"));
}

TEST_CASE("the version names the build") {
  const Ended ended = run_joulecast({"--version"});
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, StartsWith("joulecast 0."));
}

TEST_CASE("mistakes of usage exit 2, say what is wrong on stderr and what to do") {
  struct Mistake {
    std::vector<std::string> words;
    std::string what, remedy;
  };
  const std::vector<Mistake> mistakes = {
      {{"rum"}, "unknown command \"rum\"", "did you mean run?"},
      {{"run"}, "SCENARIO", "joulecast run --help"},
      {{"run", "x.toml", "--requets"}, "unknown option \"--requets\"", "did you mean --requests?"},
      {{"run", "x.toml", "y.toml"}, "unknown argument \"y.toml\"", "joulecast run --help"},
      {{"run", "x.toml", "-j", "0"}, "-j \"0\" is no whole number from 1", "-j 1"},
      {{"run", "x.toml", "-j", "two"}, "-j \"two\"", "-j 1"},
      {{"run", "x.toml", "--seed", "-1"}, "--seed", ""},
      {{"run", "x.toml", "--seed", "1.5"}, "--seed \"1.5\" is no whole number", "--seed 1"},
      {{"run", "x.toml", "--color", "blue"}, "--color \"blue\"", "auto"},
      {{"schema", "pool.replcas"}, "no key \"pool.replcas\"", "did you mean \"replicas\"?"},
      {{"profiles", "dgx-h10"}, "\"dgx-h10\"", "did you mean \"dgx-h100\"?"},
      {{"validate", "--data", "/no/such/folder"}, "/no/such/folder", "--data"},
      {{"validate", "--only", "nothing.like.it"}, "nothing.like.it", "--only"},
  };
  for (const Mistake& mistake : mistakes) {
    const Ended ended = run_joulecast(mistake.words);
    CAPTURE(mistake.words, ended.err);
    CHECK(ended.code == 2);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, StartsWith("error: ") && Contains(mistake.what) && Contains(mistake.remedy));
  }
}

TEST_CASE("colour is for terminals, or where it is asked for") {
  CHECK_THAT(run_joulecast({"profiles"}).out, !Contains("\x1b["));
  CHECK_THAT(run_joulecast({"profiles", "--color", "always"}).out, Contains("\x1b["));
  CHECK_THAT(run_joulecast({"profiles", "--color", "always"}, {{}, {{"NO_COLOR", "1"}}, 0}).out, Contains("\x1b["));
  CHECK_THAT(run_joulecast({"profiles", "--color", "never"}).out, !Contains("\x1b["));
}
