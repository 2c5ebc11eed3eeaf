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

}  // namespace

Record<ModelTable> model_record() {
  Record<ModelTable> record("model");
  record.place(&ModelTable::place)
      .required("architecture", &ModelTable::architecture, Bounds::any(), "architecture, by Hugging Face id or path")
      .later("quantization", "weights and KV in fewer bits")
      .table("accuracy", &ModelTable::accuracy, accuracy_record(), "accuracy of the model's answers, for policies that weigh it");
  return record;
}

}  // namespace joulecast::scenario
