#pragma once

#include <optional>

#include "cli/new_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// `new`.
class NewSyntax {
 public:
  /// Adds the subcommand to `app`. `common` outlives this.
  NewSyntax(CLI::App& app, detail::Common& common);

  /// What was asked for, once the command line is parsed; nothing where it is another command.
  std::optional<NewArguments> chosen() const;

 private:
  detail::Common& common_;
  NewArguments arguments_;
  CLI::App* new_;
};

}  // namespace joulecast::cli
