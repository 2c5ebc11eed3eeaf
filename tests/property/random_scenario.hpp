#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace joulecast::property {

/// A scenario file that nobody chose, drawn from the schema's bounds: 1 to 3 pools of the shipped nodes and models with random tensor parallelism,
/// engine arguments, KV, clocks, caps and speed, 1 to 3 traffics of any arrival process, every router with instant views or reports, cut or drained.
/// Always valid, and small: seconds of simulated time, some dozen replicas.
std::string random_scenario(std::uint64_t seed);

/// The same with one to three faults put in: values out of bounds or of another type, units lost, lines gone, doubled or torn. May by chance be valid.
std::string spoiled_scenario(std::uint64_t seed);

/// A file in a folder of its own that goes when this does.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return (folder_ / name_).string(); }

 private:
  std::filesystem::path folder_;
  std::string name_;
};

}  // namespace joulecast::property
