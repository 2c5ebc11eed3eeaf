#include "cli/command_page.hpp"

#include <CLI/CLI.hpp>

namespace joulecast::cli {
namespace {

OptionPage page_of(const CLI::Option& option) {
  OptionPage page;
  for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
  if (option.get_type_size() != 0) page.value = page.names.empty() ? option.get_name() : option.get_option_text();
  page.text = option.get_description();
  if (option.get_group() != "Options") page.group = option.get_group();
  page.required = option.get_required();
  page.again = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll && option.get_type_size() != 0;
  return page;
}

CommandPage page_below(const CLI::App& app, const std::string& above) {
  CommandPage page;
  page.name = app.get_name();
  page.path = above.empty() ? page.name : above + " " + page.name;
  page.text = app.get_description();
  page.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) page.options.push_back(page_of(*option));
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    page.commands.push_back(page_below(*sub, page.path));
  }
  return page;
}

}  // namespace

CommandPage page_of(const CLI::App& app) { return page_below(app, ""); }

}  // namespace joulecast::cli
