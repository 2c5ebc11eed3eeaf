#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// The options of `compare`.
class CompareSyntax {
 public:
  /// Adds them to `app`; `common` must outlive this.
  CompareSyntax(CLI::App& app, detail::Common& common);
  CompareSyntax(const CompareSyntax&) = delete;
  CompareSyntax& operator=(const CompareSyntax&) = delete;

  /// What was asked; nothing where another command was.
  std::optional<CompareArguments> chosen() const;

 private:
  detail::Common& common_;
  CLI::App* compare_;
  CompareArguments arguments_;
  std::string seed_, threads_, uncertainty_;
};

}  // namespace joulecast::cli
