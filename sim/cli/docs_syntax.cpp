#include "cli/docs_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  joulecast docs man | man -l -
  joulecast docs scenario > joulecast-scenario.5
  source <(joulecast docs bash)
  joulecast docs zsh > ~/.zfunc/_joulecast
  joulecast docs fish > ~/.config/fish/completions/joulecast.fish

An installed joulecast has them in place already: man joulecast, man joulecast-scenario.)";

}  // namespace

DocsSyntax::DocsSyntax(CLI::App& app, detail::Common& common)
    : docs_(detail::add_command(app, "docs", "The manual and the shells' completions of this very program", kExamples)) {
  docs_->add_option("WHAT", arguments_.what, "man, scenario, bash, zsh or fish")->required()->option_text(" ");
  detail::add_text(docs_, "--color", common.color, "WHEN", "Colour: auto (a terminal), always, never; NO_COLOR is heeded");
  docs_->allow_extras();
}

std::optional<DocsArguments> DocsSyntax::chosen() const { return docs_->parsed() ? std::optional(arguments_) : std::nullopt; }

}  // namespace joulecast::cli
