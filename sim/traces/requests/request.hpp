#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "traces/requests/prefix_tree.hpp"

namespace joulecast::traces {

/// What is fixed about a request when it arrives.
struct Request {
  Time arrival;                    ///< since the run began
  std::int32_t input = 0;          ///< prompt tokens, at least 1
  std::int32_t output = 0;         ///< tokens to generate, at least 1
  std::int32_t cached = 0;         ///< prompt tokens taken as found in a prefix cache (`prefix_hit_rate`), 0 .. input - 1; 0 where `prefix` says more
  std::uint32_t prefix = 0;        ///< node of the stream's PrefixTree at the end of the prompt's full blocks; 0: shares nothing
  std::uint32_t conversation = 0;  ///< equal numbers are turns of one conversation; 0: not known
};

/// Requests in the order of arrival, one at a time; equal times keep the order of the file.
class RequestStream {
 public:
  virtual ~RequestStream() = default;
  virtual std::optional<Request> next() = 0;
  /// What `Request::prefix` refers to; it lives as long as the stream and grows with `next`, nodes stay as they are. Null where nothing is shared.
  virtual const PrefixTree* prefixes() const { return nullptr; }
};

/// What a reader dropped or changed, for the report.
struct ReadCounts {
  std::uint64_t rows = 0, dropped_zero_input = 0, dropped_zero_output = 0, inversions = 0;
  std::uint64_t kept_zero_input = 0, kept_zero_output = 0;  ///< taken as 1 token
  std::uint64_t with_prefix = 0;                            ///< requests kept whose prompt has at least one full block
  std::uint64_t prefix_blocks = 0;                          ///< different ones
  std::int32_t block_tokens = 0;                            ///< tokens of such a block; 0 where the format has none
  std::uint32_t conversations = 0;
  bool torn_last_row = false;
  std::string origin;  ///< the file's first arrival as written there
};

}  // namespace joulecast::traces
