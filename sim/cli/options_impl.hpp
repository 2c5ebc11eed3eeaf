#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

// What the files that declare the command line's options share; it shows CLI11, so only they include it.
namespace joulecast::cli::detail {

class Help final : public CLI::Formatter {
 public:
  Help() { column_width(30); }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? std::string{} : " " + option->get_option_text();
  }
  std::string make_footer(const CLI::App* app) const override { return app->get_footer().empty() ? std::string{} : "\n" + app->get_footer() + "\n"; }
};

[[noreturn]] inline void usage_error(std::string what, std::string remedy) { throw UserError({}, std::move(what), std::move(remedy)); }

template <class Number>
Number whole_number(std::string_view option, const std::string& text, Number least, Number most) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc{} || stop != end || value < least || value > most) {
    usage_error(fmt::format("{} \"{}\" is no whole number from {} to {}", option, text, least, most),
                fmt::format("write it in digits: {} {}", option, std::max<Number>(least, 1)));
  }
  return value;
}

inline void add_text(CLI::App* app, const std::string& names, std::string& target, const std::string& value, const std::string& text) {
  app->add_option(names, target, text)->option_text(value)->allow_extra_args(false);
}

inline void add_files(CLI::App* app, const std::string& name, std::vector<std::string>& files, const std::string& text) {
  app->add_option(name, files, text)->option_text("FILE")->allow_extra_args(false)->take_all();
}

/// A subcommand of `app` with its help and its examples.
inline CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& text, const char* examples) {
  CLI::App* sub = app.add_subcommand(name, text);
  sub->formatter(std::make_shared<Help>());
  sub->set_help_flag("-h,--help", "This help");
  sub->footer(examples);
  return sub;
}

/// What every subcommand takes.
struct Common {
  std::string color = "auto";
  bool json = false;
};

inline void add_common(CLI::App* app, Common& common) {
  app->add_flag("--json", common.json, "Results as JSON");
  add_text(app, "--color", common.color, "WHEN", "Colour: auto (a terminal), always, never; NO_COLOR is heeded");
  app->allow_extras();
}

}  // namespace joulecast::cli::detail
