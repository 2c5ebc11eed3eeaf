#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "calibration/record/reading.hpp"

namespace joulecast::calibration {

/// What stands above a recording's rows.
struct RecordingHead {
  std::string host, driver, nvml;
  std::string started;  ///< "2026-03-02T10:00:00Z"
  double period_s = 0;
  std::vector<RecordedGpu> gpus;
};

/// A recording as it is made: `# key: value` lines, the header, one row a GPU a sample, empty cells for what a GPU did not tell. Rows reach the file whole
/// and at once, so whoever stops the program, and however, leaves a file of whole rows.
class RecordingCsv {
 public:
  /// Creates the file; a UserError where it exists or cannot be made.
  RecordingCsv(std::string path, const RecordingHead& head);
  ~RecordingCsv();
  RecordingCsv(const RecordingCsv&) = delete;
  RecordingCsv& operator=(const RecordingCsv&) = delete;

  /// Adds a row to those that the next `flush` writes; `mark` is the phase, "" before the first.
  void add(const RecordedGpu& gpu, const Reading& reading, std::string_view mark);
  /// "# event 1772445600.250000 TEXT" among the rows.
  void event(double unix_s, std::string_view text);
  /// Writes what was added. On a full disk cuts the file back to its last whole row and throws UserError.
  void flush();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  std::string rows_;
  long long whole_bytes_ = 0;
};

/// Whether a phase's name can stand in a cell: letters, digits and any of "-_.:/ +=", not empty, 64 characters at the most.
bool is_mark_name(std::string_view name);

}  // namespace joulecast::calibration
