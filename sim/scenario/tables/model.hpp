#pragma once

#include <optional>
#include <string>

#include "config/record.hpp"
#include "llm/data_type.hpp"
#include "serving/pool_routing.hpp"

namespace joulecast::scenario {

/// `accuracy = { value = 0.836, per = "request", source = ".." }` of a model: nothing here can know it, so it says where it comes from.
struct AccuracyTable {
  config::Share value;
  serving::ModelAccuracy::Per per = serving::ModelAccuracy::Per::request;
  std::string source;
};

/// `[model.NAME]`.
struct ModelTable {
  std::string architecture;
  std::optional<llm::DataType> quantization;  ///< of the weight matrices when the model serves; absent: as the architecture stores them
  std::optional<AccuracyTable> accuracy;
  Place place;
};

config::Record<ModelTable> model_record();

}  // namespace joulecast::scenario
