#include "scenario/tables/model.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Record;

namespace {

Record<AccuracyTable> accuracy_record() {
  using Per = serving::ModelAccuracy::Per;
  Record<AccuracyTable> record("accuracy");
  record.required("value", &AccuracyTable::value, Bounds{0, 1, true}, "share of answers that are right")
      .choice("per", &AccuracyTable::per, {{"request", Per::request}, {"token", Per::token}}, "",
              "what it is a share of: requests, or prompt and answer tokens")
      .required("source", &AccuracyTable::source, Bounds::any(), "where it was read or measured");
  return record;
}

void read_quantization(ModelTable& model, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto* text = node.as<std::string>();
  if (text != nullptr && (*text == "fp8" || *text == "mxfp4")) {
    model.quantization = llm::data_type(*text);
    return;
  }
  diagnostics.error(node.place(), text != nullptr ? "quantization \"" + *text + "\" is not known" : "quantization is not a word",
                    "write \"fp8\" or \"mxfp4\", or leave the key out");
}

}  // namespace

Record<ModelTable> model_record() {
  Record<ModelTable> record("model");
  record.place(&ModelTable::place)
      .required("architecture", &ModelTable::architecture, Bounds::any(), "architecture, by Hugging Face id or path")
      .custom("quantization", "\"fp8\" | \"mxfp4\"", "as the architecture stores them",
              "how the weight matrices are stored when the model serves; KV stays as it is, and a job trains in 16 bits", read_quantization)
      .table("accuracy", &ModelTable::accuracy, accuracy_record(), "accuracy of the model's answers, for policies that weigh it");
  return record;
}

}  // namespace joulecast::scenario
