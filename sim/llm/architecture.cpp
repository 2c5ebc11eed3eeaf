#include "llm/architecture.hpp"

#include <fmt/format.h>

#include "llm/record.hpp"

namespace joulecast::llm {

Architecture load_architecture(const std::string& path, config::Diagnostics& diagnostics) {
  const config::Node root = config::load(path);
  auto model = architecture_record().read(root, diagnostics);
  const auto* table = root.as<config::Table>();
  if (table != nullptr && table->find("weights") == nullptr) model.weights = {model.dtype, model.dtype};
  model.file = path;
  return model;
}

Architecture quantized(Architecture model, DataType type) {
  model.weights = {type, type};
  return model;
}

}  // namespace joulecast::llm
