#pragma once

#include <optional>

#include "cli/record_arguments.hpp"

namespace CLI {
class App;
}

namespace joulecast::cli {

namespace detail {
struct Common;
}

/// The options of `record`.
class RecordSyntax {
 public:
  /// Adds them to `app`; `common` must outlive this.
  RecordSyntax(CLI::App& app, detail::Common& common);
  RecordSyntax(const RecordSyntax&) = delete;
  RecordSyntax& operator=(const RecordSyntax&) = delete;

  /// What was asked; nothing where another command was.
  std::optional<RecordArguments> chosen() const;

 private:
  detail::Common& common_;
  CLI::App* record_;
  RecordArguments arguments_;
};

}  // namespace joulecast::cli
