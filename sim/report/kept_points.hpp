#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "report/point_json.hpp"

namespace joulecast::report {

/// A folder of finished points, a file each, named after the hash of all that a point's figures depend on: sweeps that meet at a point share it. Files are
/// written aside and renamed, so that one is whole or not there whatever ends the program.
class KeptPoints {
 public:
  /// Creates nothing.
  KeptPoints(std::filesystem::path folder, Build build) : folder_(std::move(folder)), build_(std::move(build)) {}

  const std::filesystem::path& folder() const { return folder_; }
  /// What is kept of a point; nullopt where nothing is, or what another build left.
  std::optional<study::PointOutcome> find(const std::string& hash) const;
  /// Throws UserError where it can't be written.
  void keep(const std::string& hash, const std::string& json) const;
  /// Removes what a process of this machine that is no more has left half-written.
  void clean() const;

 private:
  std::filesystem::path folder_;
  Build build_;
};

}  // namespace joulecast::report
