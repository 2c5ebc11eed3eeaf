#include "scenario/tables/length_prediction.hpp"

#include "config/record.hpp"
#include "scenario/toml_writer.hpp"

namespace joulecast::scenario {
namespace {

using config::Bounds;
using control::LengthPrediction;

struct ErrorTable {
  config::Share relative_error;
};

}  // namespace

std::optional<LengthPrediction> read_length_prediction(const config::Node& node, config::Diagnostics& diagnostics) {
  if (const auto* text = node.as<std::string>()) {
    if (*text == "oracle") return LengthPrediction{LengthPrediction::Kind::oracle, 0};
    if (*text == "mean") return LengthPrediction{LengthPrediction::Kind::mean, 0};
  } else if (node.as<config::Table>() != nullptr) {
    config::Record<ErrorTable> record("length_prediction");
    record.required("relative_error", &ErrorTable::relative_error, Bounds{0, 10, true}, "standard deviation of predicted over true length");
    const std::size_t faults = diagnostics.count();
    const ErrorTable table = record.read(node, diagnostics);
    if (diagnostics.count() != faults) return std::nullopt;
    return LengthPrediction{LengthPrediction::Kind::relative_error, table.relative_error.value};
  }
  diagnostics.error(node.place(), "length_prediction is neither \"oracle\" nor \"mean\" nor a relative error",
                    "write \"oracle\", \"mean\" or { relative_error = \"40 %\" }");
  return std::nullopt;
}

config::Node::Value length_prediction_value(const LengthPrediction& prediction) {
  if (prediction.kind == LengthPrediction::Kind::oracle) return std::string("oracle");
  if (prediction.kind == LengthPrediction::Kind::mean) return std::string("mean");
  return std::move(TomlWriter().real("relative_error", prediction.relative_error).node().value());
}

}  // namespace joulecast::scenario
