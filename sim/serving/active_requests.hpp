#pragma once

#include <cstdint>
#include <vector>

#include "serving/attribution.hpp"
#include "serving/kv_cache.hpp"
#include "serving/requests.hpp"

namespace joulecast::serving {

/// Where an arrived request stands once every step planned so far is done.
enum class Stage : std::uint8_t {
  waiting,
  prefill,   ///< runs, its prompt is not yet computed
  decode,    ///< runs, one token a step
  finishing  ///< a planned step gives its last token; it holds its blocks until that step has ended
};

/// Where the KV of a prompt is that another replica computes.
enum class RemoteKv : std::uint8_t {
  none,    ///< it is computed here
  remote,  ///< on the producer
  loading  ///< on its way; its blocks are taken
};

inline constexpr std::uint32_t kNoSlot = UINT32_MAX;

/// A request that a replica has.
struct ActiveRequest {
  RequestRecord* record = nullptr;
  KvOwner owner = 0;
  const traces::PrefixTree* prefixes = nullptr;  ///< that its prefix is a node of; null where requests share nothing
  std::int32_t shared_nodes = 0;                 ///< nodes of its path, from the root on, that it holds in the prefix cache
  bool adds_nodes = false;                       ///< its computed nodes can be found by others
  std::int64_t own_from = 0;                     ///< after a preemption: the block at which what is findable of its own begins
  std::uint32_t traffic = 0;                     ///< its table's position
  std::int32_t output = 0;                       ///< tokens that this replica gives
  RemoteKv remote_kv = RemoteKv::none;
  std::uint64_t enqueued = 0;      ///< rank of its arrival here
  std::int64_t prompt = 0;         ///< tokens to compute before the next one is given: the input and, after a preemption, what was generated
  std::int64_t computed = 0;       ///< of the prompt, by all planned steps
  std::int64_t offset = 0;         ///< decode: it reads offset + i tokens of context in step i
  std::int64_t last_step = 0;      ///< decode and finishing: the step that gives its last token
  std::uint32_t before = kNoSlot;  ///< neighbours in the running order
  std::uint32_t after = kNoSlot;
  std::uint64_t admission = 0;  ///< rank in the running order
  std::uint32_t times_decoding = 0;
  // With speculative decoding:
  std::int64_t to_give = 0;    ///< decode: tokens still to be given when all planned steps are done
  std::int64_t held = 0;       ///< decode: its KV blocks, those of drafts included
  std::uint32_t verified = 0;  ///< decode steps so far
  Stage stage = Stage::waiting;
  bool attributing = false;  ///< it decodes in the executing step; `since` was read when it began to
  Integrals since;
  std::int64_t since_steps = 0;  ///< steps that had ended then
  FixedTime last_token;          ///< before a preemption
};

/// The requests of a replica in reused slots, and those that run in the order in which they were admitted.
class ActiveRequests {
 public:
  std::uint32_t add(RequestRecord& record, KvOwner owner, const traces::PrefixTree* prefixes = nullptr);
  void remove(std::uint32_t slot) { unused_.push_back(slot); }
  ActiveRequest& operator[](std::uint32_t slot) { return slots_[slot]; }
  const ActiveRequest& operator[](std::uint32_t slot) const { return slots_[slot]; }
  std::size_t slots() const { return slots_.size(); }

  std::uint32_t last_running() const { return last_; }
  void append_running(std::uint32_t slot);
  void remove_running(std::uint32_t slot);

 private:
  std::vector<ActiveRequest> slots_;
  std::vector<std::uint32_t> unused_;
  std::uint32_t last_ = kNoSlot;
  std::uint64_t admissions_ = 0;
};

}  // namespace joulecast::serving
