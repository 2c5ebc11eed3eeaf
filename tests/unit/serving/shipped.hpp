#pragma once

#include <string>

#include "hardware/gpu.hpp"
#include "llm/architecture.hpp"

namespace joulecast::serving::test {

template <class T>
T loaded(T (*load)(const std::string&, config::Diagnostics&), const std::string& path) {
  config::Diagnostics diagnostics;
  T value = load(path, diagnostics);
  diagnostics.throw_if_failed();
  return value;
}

inline hardware::GpuProfile gpu(const std::string& file) { return loaded(hardware::load_gpu, "hardware_profiles/gpus/" + file + ".toml"); }
inline llm::Architecture model(const std::string& file) { return loaded(llm::load_architecture, "workloads/models/" + file + ".toml"); }

}  // namespace joulecast::serving::test
