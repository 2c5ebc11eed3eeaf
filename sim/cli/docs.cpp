#include <fmt/format.h>

#include <string>

#include "cli/build_info.hpp"
#include "cli/command_page.hpp"
#include "cli/commands.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/manual_page.hpp"
#include "config/node.hpp"
#include "scenario/load.hpp"

namespace joulecast::cli {

int docs(const DocsArguments& arguments, Console& console) {
  const std::string version(build_info().version);
  if (arguments.what == "man") {
    console.print(manual_page(command_line(), version));
  } else if (arguments.what == "scenario") {
    console.print(scenario_manual_page(scenario::schema(), version));
  } else if (arguments.what == "bash") {
    console.print(kBashCompletion);
  } else if (arguments.what == "zsh") {
    console.print(kZshCompletion);
  } else if (arguments.what == "fish") {
    console.print(kFishCompletion);
  } else {
    const std::string near = config::nearest(arguments.what, {"man", "scenario", "bash", "zsh", "fish"});
    throw UserError({}, fmt::format("there is no document \"{}\"", arguments.what),
                    near.empty() ? "write man, scenario, bash, zsh or fish" : fmt::format("did you mean {}?", near));
  }
  return kDone;
}

}  // namespace joulecast::cli
