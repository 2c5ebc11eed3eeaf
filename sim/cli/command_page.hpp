#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace joulecast::cli {

/// An option or argument as the command line declares it.
struct OptionPage {
  std::vector<std::string> names;  ///< "-j", "--threads"; empty for an argument, which stands by its place
  std::string value;               ///< "FILE", "KEY=VALUE", an argument's name; "" for a flag
  std::string text;
  std::string group;  ///< heading of the help where it is none of the usual ones
  bool required = false;
  bool again = false;  ///< may be given more than once
};

/// A command with its options and its own commands, in the order of the help; what the help hides is left out.
struct CommandPage {
  std::string name;
  std::string path;  ///< "joulecast calibrate ops"
  std::string text;
  std::string footer;  ///< examples and remarks
  std::vector<OptionPage> options;
  std::vector<CommandPage> commands;
};

CommandPage page_of(const CLI::App& app);

/// The whole command line: what `--help` shows, as records, from which the manual and the completions are made.
CommandPage command_line();

}  // namespace joulecast::cli
