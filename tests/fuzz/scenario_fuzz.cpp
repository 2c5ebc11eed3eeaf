// Any bytes are a scenario file: load() gives a Scenario or a UserError. What loads reads back from its resolved text, and some simulated
// milliseconds of it run. Start from the files of scenarios/.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

namespace {

using namespace joulecast;

/// A text as a file that lives in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text) : descriptor_(memfd_create("scenario", 0)) {
    JOULECAST_CHECK(descriptor_ >= 0, "no memory file");
    while (!text.empty()) {
      const ssize_t written = write(descriptor_, text.data(), text.size());
      JOULECAST_CHECK(written > 0, "the memory file can't be written");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

scenario::Scenario load(std::string_view text) {
  const MemoryFile file(text);
  return scenario::load(file.path(), {{}, {}, JOULECAST_SOURCE});
}

/// A scenario cut to what runs in no time; nothing if it can't be.
std::optional<scenario::Scenario> small(scenario::Scenario scenario) {
  int replicas = 0, nodes = 0;
  double rate = 0;
  for (const auto& pool : scenario.pools) replicas += std::min(pool.replicas, 1000);
  for (const auto& cluster : scenario.clusters) nodes += std::min(cluster.nodes, 1000);
  for (const auto& traffic : scenario.traffics) {
    if (traffic.trace) return std::nullopt;
    rate += traffic.arrivals.request_rate.si() + static_cast<double>(traffic.arrivals.max_concurrency);
  }
  if (replicas > 100 || nodes > 100 || rate > 1e4) return std::nullopt;
  scenario.duration = Seconds(0.05);
  scenario.warmup = Seconds(std::min(scenario.warmup.si(), 0.01));
  scenario.at_end = scenario::AtEnd::cut;
  return scenario;
}

void allow_faults(const UserError& error) {
  JOULECAST_CHECK(!error.faults().empty(), "an error without a fault");
  for (const UserFault& fault : error.faults()) JOULECAST_CHECK(!fault.what.empty() && !fault.remedy.empty(), "a fault without words");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Paths to devices, which could be read for ever, also behind an escape.
  for (const std::string_view path : {"/dev", "/proc", "/sys", "\\"}) {
    if (text.find(path) != text.npos) return 0;
  }
  std::optional<scenario::Scenario> loaded;
  try {
    loaded = load(text);
  } catch (const UserError& error) {
    allow_faults(error);
    return 0;
  }
  const std::string resolved = scenario::resolved_toml(*loaded);
  JOULECAST_CHECK(scenario::resolved_toml(load(resolved)) == resolved, "a resolved scenario does not read back equal");
  try {
    if (const auto runs = small(*std::move(loaded))) scenario::simulate(*runs, {});
  } catch (const UserError& error) {
    allow_faults(error);
  }
  return 0;
}
