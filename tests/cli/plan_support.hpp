#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace joulecast::test {

inline const std::string kSmallPlan = (source() / "scenarios/plan-small.toml").string();

inline Ended plan_in(const Scratch& scratch, const std::vector<std::string>& more, const std::string& file = kSmallPlan) {
  std::vector<std::string> words = {"plan", file};
  words.insert(words.end(), more.begin(), more.end());
  return run_joulecast(words, {scratch.path().string(), {}, 0});
}

inline nlohmann::json planned(const Scratch& scratch, const std::string& out, std::vector<std::string> sets) {
  std::vector<std::string> words = {"--json", "--out", out};
  for (const std::string& set : sets) {
    words.push_back("--set");
    words.push_back(set);
  }
  const Ended ended = plan_in(scratch, words);
  CAPTURE(ended.err);
  REQUIRE((ended.code == 0 || ended.code == 3));
  return nlohmann::json::parse(ended.out);
}

inline const nlohmann::json& fleet(const nlohmann::json& plan, const std::string& name) { return plan["candidate"][name]["fleet"]; }

}  // namespace joulecast::test
