#include "cli/scenario_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/share.hpp"
#include "scenario/load_arms.hpp"

namespace joulecast::cli {

namespace {

scenario::LoadOptions load_options(const ScenarioArguments& arguments) { return {arguments.sets, arguments.seed, share_folder()}; }

}  // namespace

scenario::Scenario load_scenario(const ScenarioArguments& arguments) { return scenario::load(arguments.path, load_options(arguments)); }

scenario::Arms load_arms(const ScenarioArguments& arguments) { return scenario::load_arms(arguments.path, load_options(arguments)); }

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string repeated(const ScenarioArguments& arguments) {
  std::string line = shell_word(arguments.path);
  for (const std::string& set : arguments.sets) line += " --set " + shell_word(set);
  if (arguments.seed) line += fmt::format(" --seed {}", *arguments.seed);
  return line;
}

}  // namespace joulecast::cli
