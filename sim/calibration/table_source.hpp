#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace joulecast::calibration {

/// What became of the rows of one file, for the source of every figure fitted to it.
struct TableSource {
  std::string path;
  std::string sha256;  ///< of the file as it lies there (a .gz packed)
  std::size_t used = 0;
  std::vector<std::pair<std::string, std::size_t>> dropped;  ///< by reason, in the order of their first row

  void drop(const std::string& reason);
  /// "ops/h100_nccl.csv (sha256 0123456789ab), 504 rows used; 126 dropped: dtype int8".
  std::string text() const;
};

/// The source of a file, its hash worked out. Throws UserError where it cannot be read.
TableSource table_source(const std::string& path);

/// Several files of one fit: their texts, joined.
std::string text_of(const std::vector<TableSource>& sources);

}  // namespace joulecast::calibration
