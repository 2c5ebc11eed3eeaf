#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_page.hpp"

namespace joulecast::cli {

/// A word that could stand there, and what it means.
struct Candidate {
  std::string word, text;
};

/// What could stand in place of a word: `kind` is "words", or what the shell lists itself: "files", "toml", "folders".
struct Completions {
  std::string_view kind = "words";
  std::vector<Candidate> words;
};

/// The words after the program's name, the last one being written.
Completions complete_words(const CommandPage& program, const std::vector<std::string>& words);

/// Values of an option or argument of a command. `scenario` is the scenario's file on the same line, "" where there is none.
Completions complete_value(const CommandPage& command, const OptionPage& option, const std::string& begun, const std::string& scenario);

/// Keys and values as --set takes them, a level at a time: "pool.", "pool.chat.", "pool.chat.replicas=". Names of tables are those of the scenario's file.
std::vector<Candidate> complete_assignment(const std::string& begun, const std::string& scenario);

/// Keys as `schema` takes them, without names of tables: "pool.sm_clock".
std::vector<Candidate> complete_schema_key(const std::string& begun);

/// Names of the shipped profiles: "gpu", "node", "model" or "fabric".
std::vector<Candidate> profile_candidates(const std::string& kind);

}  // namespace joulecast::cli
