#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/text_lines.hpp"

namespace joulecast::traces {

/// A top-level value of a JSON object. Numbers keep the text they are written with, so that no decimal is lost.
struct JsonField {
  enum class Kind : std::uint8_t { absent, null, boolean, number, string, integers, nested };
  Kind kind = Kind::absent;
  std::string text;                     ///< of a number or string
  std::vector<std::uint64_t> integers;  ///< of an array that holds whole numbers from 0 on and nothing else
};

/// JSON Lines: one object a line, of which only the wanted top-level keys are kept. Empty lines are passed over. UserError, with line and
/// column: text that is no JSON, a line that is no object, a key twice in one. A last line without a line end that breaks off is left out and
/// `torn` says so.
class JsonLines {
 public:
  JsonLines(TextLines lines, std::vector<std::string> keys);

  /// Steps to the next object; false at the end.
  bool next();
  const JsonField& field(std::size_t key) const { return fields_[key]; }
  /// Where the value of a key stands in the current line; the line itself where the key is absent.
  Place place(std::size_t key) const;
  /// Throws UserError "read ..., expected ..." for a value, or for its absence.
  [[noreturn]] void refuse(std::size_t key, std::string_view expected, std::string remedy) const;
  bool torn() const { return torn_; }
  /// The start of the line last read.
  Place line_place() const { return {lines_.name(), lines_.number(), 1}; }
  void rewind();

 private:
  TextLines lines_;
  std::vector<std::string> keys_;
  std::vector<JsonField> fields_;
  bool torn_ = false;
};

}  // namespace joulecast::traces
