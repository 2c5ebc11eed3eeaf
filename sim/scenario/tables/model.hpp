#pragma once

#include <string>

#include "config/record.hpp"

namespace joulecast::scenario {

/// `[model.NAME]`.
struct ModelTable {
  std::string architecture;
  Place place;
};

config::Record<ModelTable> model_record();

}  // namespace joulecast::scenario
