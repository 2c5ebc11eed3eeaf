#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/error.hpp"

struct gzFile_s;

namespace joulecast::traces {

/// The bytes of a regular file, unpacked where it is compressed with gzip (by its first bytes, whatever its name).
class ByteFile {
 public:
  /// UserError at `written_at` where the file cannot be opened.
  ByteFile(const std::string& path, const Place& written_at);

  /// Reads up to `size` bytes (below 2^31); fewer only at the end, where it gives 0. UserError: the disk fails, the gzip data are damaged or cut off.
  std::size_t read(char* to, std::size_t size);
  void rewind();

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  std::string name_;
  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace joulecast::traces
