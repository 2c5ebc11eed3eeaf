#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/time.hpp"

namespace joulecast::traces {

/// What is fixed about a request when it arrives.
struct Request {
  Time arrival;             ///< since the run began
  std::int32_t input = 0;   ///< prompt tokens, at least 1
  std::int32_t output = 0;  ///< tokens to generate, at least 1
};

/// Requests in the order of arrival, one at a time; equal times keep the order of the file.
class RequestStream {
 public:
  virtual ~RequestStream() = default;
  virtual std::optional<Request> next() = 0;
};

/// What a reader dropped or changed, for the report.
struct ReadCounts {
  std::uint64_t rows = 0, dropped_zero_input = 0, dropped_zero_output = 0, inversions = 0;
  bool torn_last_row = false;
  std::string origin;  ///< the file's first arrival as written there
};

}  // namespace joulecast::traces
