#include "control/length_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::control {

std::string LengthPrediction::text() const {
  switch (kind) {
    case Kind::oracle:
      return "oracle";
    case Kind::mean:
      return "mean";
    case Kind::relative_error:
      break;
  }
  return fmt::format("relative error {:g} %", 100 * relative_error);
}

double LengthPredictor::predict(std::uint32_t number, std::int32_t output) {
  if (prediction_.kind == LengthPrediction::Kind::oracle) return output;
  if (prediction_.kind == LengthPrediction::Kind::mean) return std::max(1.0, mean_output_);
  JOULECAST_CHECK(number >= next_, "lengths are predicted in the order of the requests");
  for (; next_ < number; ++next_) random_.normal();
  ++next_;
  const double variance = std::log1p(prediction_.relative_error * prediction_.relative_error);
  return std::max(1.0, output * std::exp(std::sqrt(variance) * random_.normal() - variance / 2));
}

}  // namespace joulecast::control
