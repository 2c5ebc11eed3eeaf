#pragma once

#include <optional>

#include "cli/docs_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// The command line of `joulecast docs`.
class DocsSyntax {
 public:
  DocsSyntax(CLI::App& app, detail::Common& common);
  /// What was asked, where `docs` was.
  std::optional<DocsArguments> chosen() const;

 private:
  DocsArguments arguments_;
  CLI::App* docs_;
};

}  // namespace joulecast::cli
