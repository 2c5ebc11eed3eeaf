#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/byte_file.hpp"

namespace joulecast::traces {

/// The lines of a text file, or of text in memory, one at a time and without a copy of each. Line ends are LF or CRLF, the last one may be
/// missing; a byte-order mark is skipped; a file that is compressed with gzip is unpacked as it is read. Faults are UserError: a file that cannot be
/// read, a line or quoted record above `kMostBytes`, a NUL byte, gzip in a text or pipe.
class TextLines {
 public:
  /// Enough for a JSON line with the block hashes of a million prompt tokens in blocks of 16.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  /// Opens `path`; `written_at` is where the path was written, for the message when there is no such file. A regular file is read in chunks, any
  /// other (a pipe) whole, so that `rewind` works on it.
  explicit TextLines(const std::string& path, Place written_at = {});
  /// Text that outlives this object; `name` stands for the file in places.
  TextLines(std::string_view text, std::string name);

  /// Steps to the next line; false at the end, where `line` is empty.
  bool next();
  /// Lengthens the current line by the one after it, the line end between them included; false at the end of the text.
  bool extend();
  /// The current line without its line end; valid until the next call of `next`, `extend` or `rewind`.
  std::string_view line() const { return {data_ + start_, size_}; }
  /// The number of the current line's first line, from 1.
  int number() const { return number_; }
  /// False for a last line without a line end, such as one that was cut off while being written.
  bool terminated() const { return terminated_; }
  void rewind();

  const std::string& name() const { return name_; }

 private:
  bool find_end(std::size_t from);
  bool refill();
  void check_line(std::size_t from) const;

  std::string name_;
  std::unique_ptr<ByteFile> file_;
  std::vector<char> buffer_;
  const char* data_ = nullptr;
  std::size_t end_ = 0;    ///< of what has been read
  std::size_t start_ = 0;  ///< of the current line
  std::size_t size_ = 0;   ///< of the current line
  std::size_t after_ = 0;  ///< where the next line begins
  int number_ = 0;
  int lines_ = 0;  ///< lines that the current record spans
  bool exhausted_ = false;
  bool terminated_ = true;
};

}  // namespace joulecast::traces
