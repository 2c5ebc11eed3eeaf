#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

namespace joulecast::scenario {

/// A series file of its own, gone with this object.
class SeriesFile {
 public:
  explicit SeriesFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("joulecast-series-" + std::to_string(getpid()) + "-" + std::to_string(next()++))).string()) {
    std::ofstream(path_) << text;
  }
  SeriesFile(const SeriesFile&) = delete;
  SeriesFile& operator=(const SeriesFile&) = delete;
  ~SeriesFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }
  /// As the value of a key: hours that start at UTC times, in `unit`.
  std::string table(const std::string& unit, const std::string& more = "") const {
    return "{ file = \"" + path_ + "\", format = \"csv\", time = \"time\", value = \"v\", unit = \"" + unit +
           "\", interval = \"start\", timezone = \"UTC\"" + more + " }";
  }

 private:
  static int& next() {
    static int number = 0;
    return number;
  }
  std::string path_;
};

/// One DGX H100 with one small replica, on a site with `keys`; 2 hours from midnight UTC on, one request in 20 s.
inline std::string on_site(const std::string& keys, const std::string& time = "start = 2025-03-18T00:00:00Z\nduration = \"2 h\"\n") {
  return "schema = 1\n[time]\n" + time + "[site.here]\npue = 1.25\n" + keys +
         "[cluster.a]\nnode = \"dgx-h100\"\nnodes = 1\n[pool.chat]\ncluster = \"a\"\nmodel = \"meta-llama/Llama-3.1-8B-Instruct\"\n"
         "tensor_parallel_size = 1\nreplicas = 1\n[traffic.chat]\nrequests = \"azure-2023-conv\"\nrequest_rate = \"0.05 /s\"\n";
}

inline constexpr std::size_t kItBoundary = 2, kFacilityBoundary = 3;

}  // namespace joulecast::scenario
