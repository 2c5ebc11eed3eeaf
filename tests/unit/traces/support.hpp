#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::traces::test {

/// A folder of its own that is gone with this object.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "joulecast-traces-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& name, std::string_view text) const {
    const std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The first fault of the UserError that `action` throws; an empty fault if it throws none.
template <class Action>
UserFault fault_of(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.faults().front();
  }
  return {};
}

inline std::vector<Request> all(RequestStream& stream, std::size_t most = SIZE_MAX) {
  std::vector<Request> requests;
  while (requests.size() < most) {
    const auto request = stream.next();
    if (!request) break;
    requests.push_back(*request);
  }
  return requests;
}

inline TraceOptions azure(const std::string& file = "trace.csv") {
  TraceOptions options;
  options.file = file;
  options.format = "azure";
  return options;
}

inline TraceOptions plain(const std::string& unit, const std::string& file = "trace.csv") {
  TraceOptions options;
  options.file = file;
  options.format = "csv";
  options.columns = TraceColumns{"at", "in", "out"};
  options.time_unit = unit;
  return options;
}

/// A format that needs no more than its name.
inline TraceOptions named(const std::string& format, const std::string& file = "trace") {
  TraceOptions options;
  options.file = file;
  options.format = format;
  return options;
}

inline TraceOptions vllm(const std::string& file = "requests.jsonl") {
  TraceOptions options;
  options.file = file;
  options.format = "vllm-bench";
  return options;
}

inline std::vector<Request> read(std::string_view text, const TraceOptions& options, std::size_t most = SIZE_MAX) {
  return all(*open_trace_text(text, options), most);
}

/// The same requests, field by field.
inline bool same_requests(const std::vector<Request>& a, const std::vector<Request>& b) {
  const auto equal = [](const Request& x, const Request& y) {
    return x.arrival == y.arrival && x.input == y.input && x.output == y.output && x.cached == y.cached && x.prefix == y.prefix &&
           x.conversation == y.conversation;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

/// The folder of measured data, or nullptr where JOULECAST_DATA is not set.
inline const char* data_folder() { return std::getenv("JOULECAST_DATA"); }

}  // namespace joulecast::traces::test
