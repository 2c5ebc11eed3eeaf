#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "report/table.hpp"

namespace joulecast::cli {

/// Standard output for results, standard error for messages; colour where a person looks.
class Console {
 public:
  /// Colour is chosen a stream: `automatic` colours a terminal unless NO_COLOR is set (to anything but "") or TERM is "dumb".
  explicit Console(ColorChoice choice);

  bool messages_on_terminal() const { return error_terminal_; }
  int width() const { return width_; }  ///< columns of the terminal, 100 where there is none

  /// Results, as they are.
  void print(std::string_view text);
  /// A line for people, beside the results.
  void message(std::string_view line);
  void note(std::string_view line);
  /// Every fault: "error: PLACE: what", its remedy below.
  void errors(const UserError& error);
  /// Our own fault, and what to send us.
  void bug(std::string_view what, std::string_view command_line);
  /// False where standard output did not take everything (a full disk, a closed pipe).
  bool flush();

  /// Text in an ink, and what tables of results look like.
  std::string inked(report::Ink ink, const std::string& text) const { return report::inked(style(), ink, text); }
  report::Style style() const { return {color_out_}; }

 private:
  bool color_out_, color_error_, error_terminal_;
  int width_ = 100;
};

}  // namespace joulecast::cli
