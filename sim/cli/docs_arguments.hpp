#pragma once

#include <string>
#include <vector>

namespace joulecast::cli {

/// `joulecast docs WHAT`: manual pages and shell completions, made from the records of the command line and of the scenario.
struct DocsArguments {
  std::string what;  ///< "man", "scenario", "bash", "zsh", "fish"
};

/// `joulecast complete WORD..`: what could stand in place of the last word. For the shells' completions, so the help does not list it.
struct CompleteArguments {
  std::vector<std::string> words;  ///< after the program's name, up to the one that is written, which may be empty
};

}  // namespace joulecast::cli
