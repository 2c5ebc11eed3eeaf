#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "llm/architecture.hpp"

namespace joulecast::llm::test {

inline Architecture loaded(const std::string& path) {
  config::Diagnostics diagnostics;
  auto model = load_architecture(path, diagnostics);
  diagnostics.throw_if_failed();
  return model;
}

/// workloads/models/FILE.toml
inline Architecture shipped(const std::string& file) { return loaded("workloads/models/" + file + ".toml"); }

/// All of workloads/models, in the order of their files' names.
inline std::vector<Architecture> all_shipped() {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator("workloads/models")) paths.push_back(file.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<Architecture> models;
  for (const auto& path : paths) models.push_back(loaded(path));
  return models;
}

/// A small dense model of the same kind as Llama; no file stands behind it.
inline Architecture small() {
  Architecture model;
  model.name = "small";
  model.layers = 4;
  model.hidden = 512;
  model.heads = 8;
  model.kv_heads = 2;
  model.head_dim = 64;
  model.ffn = 1024;
  model.vocab = 1000;
  model.max_position = 4096;
  return model;
}

}  // namespace joulecast::llm::test
