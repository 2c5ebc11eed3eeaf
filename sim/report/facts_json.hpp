#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_json.hpp"
#include "scenario/result.hpp"

namespace joulecast::report {

inline constexpr const char* kFactsFile = "run.json";

/// The facts of a study, for its run.json: the program, the study's hash under its own word ("plan", "comparison", "sweep"), how it went, and the sha256 of every
/// input. A study adds keys of its own.
nlohmann::ordered_json study_facts(const RunFacts& facts, const std::string& study, const std::string& hash,
                                   const std::vector<scenario::Input>& inputs);
/// As it stands in the file.
std::string facts_text(const nlohmann::ordered_json& facts);

/// What run.json in a folder says. A file that is not there or is no JSON, a key that is not there and a value of another type all read as absent.
class EarlierFacts {
 public:
  explicit EarlierFacts(const std::filesystem::path& folder);

  bool has(const char* key) const { return find(key) != nullptr; }
  std::string text(const char* key) const;                  ///< "" where absent
  int number(const char* key) const;                        ///< a whole number; 0 where absent
  std::vector<std::size_t> numbers(const char* key) const;  ///< a list of whole numbers, none below 0; empty where absent

 private:
  const nlohmann::ordered_json* find(const char* key) const;

  nlohmann::ordered_json facts_;
};

}  // namespace joulecast::report
