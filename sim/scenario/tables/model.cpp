#include "scenario/tables/model.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

Record<ModelTable> model_record() {
  Record<ModelTable> record("model");
  record.place(&ModelTable::place)
      .required("architecture", &ModelTable::architecture, Bounds::any(), "architecture, by Hugging Face id or path")
      .later("quantization", "weights and KV in fewer bits")
      .later("accuracy", "accuracy of the model's answers");
  return record;
}

}  // namespace joulecast::scenario
