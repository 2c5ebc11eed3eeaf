#pragma once

#include <optional>

#include "cli/import_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// The command line of `joulecast import`.
class ImportSyntax {
 public:
  ImportSyntax(CLI::App& app, detail::Common& common);
  /// What was asked, where `import` was.
  std::optional<ImportArguments> chosen() const;

 private:
  detail::Common& common_;
  ImportArguments arguments_;
  CLI::App* import_;
};

}  // namespace joulecast::cli
