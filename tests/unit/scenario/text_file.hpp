#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scenario/load.hpp"

namespace joulecast::scenario {

/// Loads a scenario's text as a file of its own. Tests start in the source tree.
inline Scenario load_text(const std::string& text, std::vector<std::string> sets = {}) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("joulecast-scenario-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << text;
  struct Remove {
    std::filesystem::path path;
    ~Remove() { std::filesystem::remove(path); }
  } const remove{path};
  return load(path.string(), {std::move(sets), {}, "."});
}

/// Two replicas of Llama-3.1-70B on one DGX H100.
inline const std::string kChat = R"(schema = 1
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-70B-Instruct"
tensor_parallel_size = 4
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "4 /s"
length_prediction = "mean"
)";

/// The faults with which a scenario is refused, "what / remedy" a line; "" where it loads.
inline std::string faults(const std::string& text, std::vector<std::string> sets = {}) {
  try {
    load_text(text, std::move(sets));
    return "";
  } catch (const UserError& error) {
    std::string all;
    for (const UserFault& fault : error.faults()) all += fault.what + " / " + fault.remedy + "\n";
    return all;
  }
}

}  // namespace joulecast::scenario
