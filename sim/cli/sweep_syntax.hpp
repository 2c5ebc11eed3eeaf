#pragma once

#include <optional>
#include <string>

#include "cli/sweep_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// `sweep`.
class SweepSyntax {
 public:
  /// Adds the subcommand to `app`. `common` outlives this.
  SweepSyntax(CLI::App& app, detail::Common& common);

  /// What was asked for, once the command line is parsed; nothing where it is another command. Throws UserError.
  std::optional<SweepArguments> chosen() const;

 private:
  SweepArguments arguments_;
  std::string seed_, threads_, shard_;
  const detail::Common& common_;
  CLI::App* sweep_;
};

}  // namespace joulecast::cli
