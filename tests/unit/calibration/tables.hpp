#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace joulecast::calibration {

/// A folder for tables that goes away with its object.
class TableFolder {
 public:
  TableFolder() : path_(std::filesystem::temp_directory_path() / ("joulecast-calibration-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~TableFolder() { std::filesystem::remove_all(path_); }
  TableFolder(const TableFolder&) = delete;
  TableFolder& operator=(const TableFolder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// The folder of measured data, "" where JOULECAST_DATA names none.
inline std::string measured_data() {
  const char* given = std::getenv("JOULECAST_DATA");
  return given == nullptr ? "" : given;
}

}  // namespace joulecast::calibration
