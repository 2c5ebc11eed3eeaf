#include "cli/new_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  joulecast new policy shortest_prompt --kind replica
  joulecast new policy green_first --kind pool --in ~/src/joulecast

Writes a policy that works, its test and its line in the registry into a checkout, and says what comes next. What is there already is left alone.)";

}  // namespace

NewSyntax::NewSyntax(CLI::App& app, detail::Common& common)
    : common_(common), new_(detail::add_command(app, "new", "Begins a policy of your own: its file, its test, its line in the registry", kExamples)) {
  new_->add_option("WHAT", arguments_.what, "policy")->required()->option_text(" ");
  new_->add_option("NAME", arguments_.name, "Its name: small letters, digits, underscores")->required()->option_text(" ");
  detail::add_text(new_, "--kind", arguments_.kind, "KIND", "What it chooses: replica or pool");
  detail::add_text(new_, "--in", arguments_.checkout, "DIR", "The source tree (default: where you stand)");
  detail::add_common(new_, common);
}

std::optional<NewArguments> NewSyntax::chosen() const {
  if (!new_->parsed()) return std::nullopt;
  NewArguments arguments = arguments_;
  arguments.json = common_.json;
  return arguments;
}

}  // namespace joulecast::cli
