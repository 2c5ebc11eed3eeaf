#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"

namespace joulecast::cli {
namespace {

const OptionPage* option_called(const CommandPage& command, const std::string& name) {
  for (const OptionPage& option : command.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

const CommandPage* command_called(const CommandPage& command, const std::string& name) {
  const auto found = std::find_if(command.commands.begin(), command.commands.end(), [&](const CommandPage& each) { return each.name == name; });
  return found == command.commands.end() ? nullptr : &*found;
}

const OptionPage* argument_at(const CommandPage& command, std::size_t place) {
  for (const OptionPage& option : command.options) {
    if (option.names.empty() && place-- == 0) return &option;
  }
  return nullptr;
}

/// What the words before the last one say.
struct Line {
  const CommandPage* command;
  const OptionPage* value_of = nullptr;  ///< the option whose value comes next
  std::vector<std::string> arguments;
  std::vector<const OptionPage*> given;

  std::string scenario() const {
    const OptionPage* first = argument_at(*command, 0);
    return first != nullptr && first->value == "SCENARIO" && !arguments.empty() ? arguments.front() : std::string();
  }
};

Line read(const CommandPage& program, const std::vector<std::string>& words) {
  Line line{&program, nullptr, {}, {}};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (line.value_of != nullptr) {
      line.value_of = nullptr;
    } else if (word.starts_with("-")) {
      const OptionPage* option = option_called(*line.command, word.substr(0, word.find('=')));
      if (option == nullptr) continue;
      line.given.push_back(option);
      if (!option->value.empty() && word.find('=') == std::string::npos) line.value_of = option;
    } else if (const CommandPage* below = line.arguments.empty() ? command_called(*line.command, word) : nullptr) {
      line.command = below;
      line.given.clear();
    } else {
      line.arguments.push_back(word);
    }
  }
  return line;
}

std::vector<Candidate> options_of(const Line& line) {
  std::vector<Candidate> words;
  for (const OptionPage& option : line.command->options) {
    const bool used = std::find(line.given.begin(), line.given.end(), &option) != line.given.end();
    if (!option.names.empty() && (option.again || !used)) words.push_back({option.names.back(), option.text});
  }
  return words;
}

void keep_begun(std::vector<Candidate>& words, const std::string& begun) {
  std::erase_if(words, [&](const Candidate& each) { return !each.word.starts_with(begun); });
}

}  // namespace

Completions complete_words(const CommandPage& program, const std::vector<std::string>& words) {
  const std::string begun = words.empty() ? "" : words.back();
  const Line line = read(program, words);
  Completions found;
  if (line.value_of != nullptr) {
    found = complete_value(*line.command, *line.value_of, begun, line.scenario());
    keep_begun(found.words, begun);
    return found;
  }
  if (begun.starts_with("--") && begun.find('=') != std::string::npos) {
    const std::string name = begun.substr(0, begun.find('=')), value = begun.substr(name.size() + 1);
    const OptionPage* option = option_called(*line.command, name);
    if (option == nullptr || option->value.empty()) return found;
    found = complete_value(*line.command, *option, value, line.scenario());
    keep_begun(found.words, value);
    for (Candidate& each : found.words) each.word.insert(0, name + "=");
    return found;
  }
  if (begun.starts_with("-")) {
    found.words = options_of(line);
  } else if (!line.command->commands.empty() && line.arguments.empty()) {
    for (const CommandPage& each : line.command->commands) found.words.push_back({each.name, each.text});
  } else if (const OptionPage* argument = argument_at(*line.command, line.arguments.size())) {
    found = complete_value(*line.command, *argument, begun, line.scenario());
  } else {
    found.words = options_of(line);
  }
  keep_begun(found.words, begun);
  return found;
}

int complete(const CompleteArguments& arguments, Console& console) {
  Completions found;
  try {
    found = complete_words(command_line(), arguments.words);
  } catch (const UserError&) {
    // Profiles that are not there, a scenario that is still being written: a shell has no place for that.
  }
  std::string out = std::string(found.kind) + "\n";
  for (const Candidate& each : found.words) out += each.word + (each.text.empty() ? "" : "\t" + each.text) + "\n";
  console.print(out);
  return kDone;
}

}  // namespace joulecast::cli
