#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/hdf5_objects.hpp"

namespace joulecast::report {

/// Reads a results.h5. What is not there reads as nothing: a file of an older layout lacks some series.
class ResultsReader {
 public:
  /// Throws UserError where the file is no HDF5 file.
  explicit ResultsReader(const std::filesystem::path& path);

  /// A one-dimensional data set.
  std::vector<double> values(const std::string& path) const;
  std::optional<double> number(const std::string& path, const char* attribute) const;
  std::string text(const std::string& path, const char* attribute) const;
  /// Names of what lies in a group, in alphabetical order.
  std::vector<std::string> names(const std::string& group) const;

 private:
  bool there(const std::string& path) const;
  hdf5::Quiet quiet_;
  hdf5::Handle file_;
};

/// Values as little-endian float32 in base64, for a page: { "f32": "..." }; null where there are none; means of each `group` values,
/// the last one shorter.
nlohmann::ordered_json packed(const std::vector<double>& values, std::size_t group = 1);

}  // namespace joulecast::report
