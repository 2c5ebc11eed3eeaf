#pragma once

#include <cstdint>
#include <deque>

#include "base/fixed.hpp"
#include "base/time.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::serving {

enum class Fate : std::uint8_t { waiting, running, completed, rejected_over_context };

/// What became of a request; written by the one replica that has it (after the prompt another one, where prefill and decode are apart).
struct Outcome {
  Time queued_until{-1};  ///< first scheduled (start of the step that first holds one of its tokens)
  Time first_token{-1};
  Time last_token{-1};
  Time prefilled{-1};         ///< the end of the prompt on `prefill_replica`
  Time kv_received{-1};       ///< when its KV had come
  FixedEnergy joules;         ///< attributed GPU joules
  std::int32_t replica = -1;  ///< index over all pools
  std::int32_t preemptions = 0;
  std::int32_t prefill_replica = -1;  ///< the one that computed the prompt for another one
  std::int32_t kv_blocks = 0;         ///< that went from there to `replica`
  std::int32_t generated = 0;         ///< output tokens so far
  Fate fate = Fate::waiting;
  bool truncated = false;
};

struct RequestRecord {
  traces::Request facts;
  Outcome outcome;
};

/// All requests of one traffic in order of arrival; messages carry a request's number. References stay valid while it grows.
class RequestTable {
 public:
  std::uint32_t add(const traces::Request& facts) {
    records_.push_back({facts, {}});
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  RequestRecord& operator[](std::uint32_t number) { return records_[number]; }
  const RequestRecord& operator[](std::uint32_t number) const { return records_[number]; }
  std::size_t size() const { return records_.size(); }

  /// What `prefix` of the requests refers to; null where they share nothing. It outlives the run.
  const traces::PrefixTree* prefixes() const { return prefixes_; }
  void share(const traces::PrefixTree* prefixes) { prefixes_ = prefixes; }

 private:
  std::deque<RequestRecord> records_;
  const traces::PrefixTree* prefixes_ = nullptr;
};

}  // namespace joulecast::serving
