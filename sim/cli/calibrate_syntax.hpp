#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/calibrate_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// The options of `calibrate` and of each of its subcommands.
class CalibrateSyntax {
 public:
  /// Adds them to `app`; `common` must outlive this.
  CalibrateSyntax(CLI::App& app, detail::Common& common);
  CalibrateSyntax(const CalibrateSyntax&) = delete;
  CalibrateSyntax& operator=(const CalibrateSyntax&) = delete;

  /// Whether `calibrate` was called without a subcommand that is known.
  bool parsed_alone() const;
  /// Throws UserError about that call: what there is, the nearest name, or what is not yet supported.
  [[noreturn]] void refuse() const;
  /// What was asked; nothing where another command was.
  std::optional<CalibrateArguments> chosen() const;

 private:
  CLI::App* add(const std::string& name, const std::string& text, const char* examples, std::function<CalibrateArguments()> arguments);
  void add_compare();
  void add_inspect();
  void add_ops();
  void add_serving();
  void add_stages();
  void add_fit();
  void add_tokens();

  detail::Common& common_;
  CLI::App* calibrate_;
  std::vector<std::pair<CLI::App*, std::function<CalibrateArguments()>>> commands_;
  CalibrateCompareArguments compare_;
  CalibrateInspectArguments inspect_;
  CalibrateOpsArguments ops_;
  CalibrateServingArguments serving_;
  CalibrateStagesArguments stages_;
  CalibrateFitArguments fit_;
  CalibrateTokensArguments tokens_;
  std::string folds_;
};

}  // namespace joulecast::cli
