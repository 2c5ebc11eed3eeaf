#pragma once

#include <optional>

#include "cli/report_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// `report`.
class ReportSyntax {
 public:
  /// Adds the subcommand to `app`. `common` outlives this.
  ReportSyntax(CLI::App& app, detail::Common& common);

  /// What was asked for, once the command line is parsed; nothing where it is another command. Throws UserError for a --table that is not known.
  std::optional<ReportArguments> chosen() const;

 private:
  ReportArguments arguments_;
  CLI::App* report_;
  detail::Common* common_;
};

}  // namespace joulecast::cli
