#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llm/architecture.hpp"

namespace joulecast::llm {

/// A model read from the config.json of its repository, and what a person should know of the reading.
struct Imported {
  Architecture model;
  std::vector<std::string> notes;
};

/// Reads the text of a Hugging Face config.json; `file` names it in messages. `name` and `source` go into the model; an empty `name` takes what the
/// config says of itself. The config states no size: stated_parameters (and stated_active_parameters of a mixture) are the counts of the shape.
///
/// Throws UserError: text that is no JSON (line and column); a model_type that is not known (the known ones are listed); each key that is missing or
/// of the wrong kind; a quantization that has no data type here; attention patterns that a LocalAttention can't say.
Imported import_config(std::string_view text, const std::string& file, const std::string& name, const std::string& source);

/// The model_types that import_config knows, in alphabetical order.
std::vector<std::string> known_model_types();

}  // namespace joulecast::llm
