#pragma once

#include <optional>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "control/length_prediction.hpp"

namespace joulecast::scenario {

/// `length_prediction = "oracle" | "mean" | { relative_error = "40 %" }` of a traffic; nothing where a fault was reported.
std::optional<control::LengthPrediction> read_length_prediction(const config::Node& node, config::Diagnostics& diagnostics);

/// The same as a value of a resolved scenario.
config::Node::Value length_prediction_value(const control::LengthPrediction& prediction);

}  // namespace joulecast::scenario
