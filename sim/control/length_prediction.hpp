#pragma once

#include <cstdint>
#include <string>

#include "base/philox.hpp"

namespace joulecast::control {

/// What policies are told of a request's output length before it is generated: `[traffic] length_prediction`.
struct LengthPrediction {
  enum class Kind : std::uint8_t {
    oracle,         ///< the true length
    mean,           ///< the mean of the traffic's lengths
    relative_error  ///< the true length times a lognormal factor
  };
  Kind kind = Kind::oracle;
  double relative_error = 0;  ///< standard deviation of the factor, whose mean is 1

  /// "oracle", "mean", "relative error 40 %".
  std::string text() const;
};

/// Predicts the output lengths of one traffic's requests, in tokens.
///
/// With a relative error r the factor is exp(s z - s^2/2), s^2 = ln(1 + r^2), z standard normal: mean 1, standard deviation r. The z of a request
/// depends on the stream and on the request's number alone, so two policies are told the same of the same requests.
class LengthPredictor {
 public:
  /// `mean_output` is the mean of the traffic's lengths; only read for Kind::mean.
  LengthPredictor(const LengthPrediction& prediction, double mean_output, Stream random)
      : prediction_(prediction), mean_output_(mean_output), random_(random) {}

  /// Of request `number`, whose true length is `output`; at least 1. Numbers rise from call to call (a Bug else).
  double predict(std::uint32_t number, std::int32_t output);

 private:
  LengthPrediction prediction_;
  double mean_output_;
  Stream random_;
  std::uint32_t next_ = 0;
};

}  // namespace joulecast::control
