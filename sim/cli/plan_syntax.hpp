#pragma once

#include <optional>
#include <string>

#include "cli/plan_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// `plan`.
class PlanSyntax {
 public:
  /// Adds the subcommand to `app`. `common` outlives this.
  PlanSyntax(CLI::App& app, detail::Common& common);

  /// What was asked for, once the command line is parsed; nothing where it is another command.
  std::optional<PlanArguments> chosen() const;

 private:
  PlanArguments arguments_;
  std::string seed_, threads_;
  const detail::Common& common_;
  CLI::App* plan_;
};

}  // namespace joulecast::cli
