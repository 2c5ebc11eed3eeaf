#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "serving/active_requests.hpp"
#include "serving/decode_set.hpp"
#include "serving/engine_config.hpp"
#include "serving/kv_cache.hpp"
#include "serving/prefix_cache.hpp"
#include "serving/step_cost.hpp"

namespace joulecast::serving {

/// One step as scheduled.
struct Plan {
  /// Whose prompt chunks[i] is, and whether it ends the prompt.
  struct ChunkOwner {
    std::uint32_t slot;
    bool completes;
  };

  /// What speculative decoding gives a sequence: it read so many tokens of context.
  struct Verified {
    std::uint32_t slot;
    std::int64_t reads;
    std::int64_t gives;
  };

  std::int64_t step = 0;     ///< running number
  std::int64_t decodes = 0;  ///< decoding sequences
  std::int64_t context = 0;  ///< the tokens that they read in this step
  Unevenness uneven;         ///< how these are shared
  std::vector<Chunk> chunks;
  std::vector<ChunkOwner> owners;
  std::vector<Verified> verified;        ///< with speculative decoding: the decoding sequences
  std::vector<std::uint32_t> finishing;  ///< requests whose last token this step gives

  bool empty() const { return decodes == 0 && chunks.empty(); }
  void clear();
};

/// The scheduler of vLLM V1 (0.19): plans one step after the other from the state as it will be once the steps planned before are done.
///
/// A plan serves the running requests first, in order of admission: a decoding one gets a token, one whose prompt is not done as much of it as
/// max_num_batched_tokens leaves. While that needs more KV blocks than are free, the last running request is preempted: it goes to the front of
/// the waiting queue and computes its prompt and all tokens generated again, less the full blocks still found in the cache: those of its prefix that
/// it shares with other requests, then its own. If nobody was preempted,
/// waiting requests are admitted in order while there is budget, max_num_seqs allows it and the blocks of the whole prompt are free. A request whose
/// last token is planned holds its blocks and counts in max_num_seqs until that step has ended.
///
/// A plan costs O(1) and what changes: O(1) a chunk, admission, preemption and (but for a heap's logarithm) completion. With speculative decoding it costs
/// O(1) a decoding sequence: each moves on by a number of its own (scheduler_speculation.cpp).
class Scheduler {
 public:
  /// Throws Bug where max_num_batched_tokens < max_num_seqs or a size is not positive. Plans tell their unevenness only where `uneven`.
  Scheduler(const EngineConfig& engine, ActiveRequests& requests, bool uneven = true);

  void enqueue(std::uint32_t slot);
  /// Makes the next plan, empty if there is nothing to do. `preempted()` lists whom it preempted.
  void plan(Plan& next);
  const std::vector<std::uint32_t>& preempted() const { return preempted_; }
  /// Frees the blocks of a finishing request whose last step has ended.
  void complete(std::uint32_t slot) {
    hold(slot);
    let_go(slot);
  }
  /// Forgets what KV holds of requests that are done; nothing may run.
  void forget_kv() { kv_.forget_all(); }

  // scheduler_remote.cpp: prompts whose KV another replica computes.

  /// A finishing request whose last step has ended keeps its blocks, until `let_go`.
  void hold(std::uint32_t slot);
  void let_go(std::uint32_t slot);
  /// Whose KV the last plan has taken blocks for: it is to be fetched now. vLLM counts them neither as running nor against the step's tokens.
  const std::vector<std::uint32_t>& loads() const { return loads_; }
  /// The KV has come: the next plan that has a token and a sequence left computes the prompt's last token.
  void loaded(std::uint32_t slot);
  /// Requests outside of the running ones that have blocks: their KV comes, has come or is held.
  std::int64_t in_transfer() const { return in_transfer_; }

  /// Whether there are sequences and blocks for the first waiting request. While no request completes, false stays false.
  bool can_admit();

  // Plans that repeat `last`, the last plan made, which has no chunks: nobody is preempted or admitted, and only done sequences leave.

  /// How many such plans, at most `most`, find enough free blocks.
  std::int64_t repeatable(std::int64_t most) const { return decodes_.steps_within(kv_.free(), last_step_ + 1, most); }
  /// The first last step among the sequences of the next plan.
  std::int64_t first_done() { return decodes_.first_done(); }
  /// Blocks that `plans` such plans take; `plans` reaches one beyond the plan of `done`, the first last step, at most.
  std::int64_t repeat_blocks(std::int64_t plans, std::int64_t done) const;
  /// Makes `plans` such plans; `before` becomes the last but one plan, `last` the last.
  void repeat(std::int64_t plans, Plan& before, Plan& last);

  const DecodeSet& decodes() const { return decodes_; }
  const KvCache& kv() const { return kv_; }
  std::int64_t last_step() const { return last_step_; }
  std::int64_t waiting() const { return static_cast<std::int64_t>(waiting_.size() + loaded_.size()) + loading_; }
  /// Whether a request that comes now is the first to be admitted.
  bool none_to_admit() const { return waiting_.empty() && loaded_.empty(); }
  /// Running and finishing requests.
  std::int64_t running() const { return decodes_.count() + (prefilling_ != kNoSlot ? 1 : 0) + finishing_; }
  /// Prompt tokens of waiting and running requests that no plan computes yet.
  std::int64_t tokens_queued() const { return tokens_queued_; }
  /// Prompt tokens of all admissions, and those of them that were found in the prefix cache.
  std::int64_t prefix_queries() const { return prefix_queries_; }
  std::int64_t prefix_hits() const { return prefix_hits_; }

 private:
  std::int64_t blocks(std::int64_t tokens) const { return (tokens + engine_.block_size - 1) / engine_.block_size; }
  /// Blocks of a request whose first `tokens` tokens are in KV.
  std::int64_t blocks_of(const ActiveRequest& request, std::int64_t tokens) const { return request.held > 0 ? request.held : blocks(tokens); }
  // scheduler_speculation.cpp
  std::int64_t blocks_to_verify(const ActiveRequest& request, std::int64_t step) const;
  std::int64_t new_blocks_to_verify(std::int64_t step) const;
  void take_blocks_to_verify(std::int64_t step);
  void verify(Plan& made);
  void finish_verified(Plan& made);
  void start_verifying(std::uint32_t slot);

  std::int64_t rest_of_prompt(std::int64_t budget) const;
  void make_room(Plan& next, std::int64_t& chunk);
  void preempt_last(std::int64_t step);
  void admit(Plan& next, std::int64_t budget);
  bool start_load(std::uint32_t slot);
  void admit_loaded(Plan& next, std::int64_t& budget);
  PrefixCache::Found shared(const ActiveRequest& request);
  std::int64_t own_findable(const ActiveRequest& request, const PrefixCache::Found& found) const;
  void add_chunk(Plan& next, std::uint32_t slot, std::int64_t tokens);
  void after(Plan& made);

  EngineConfig engine_;
  ActiveRequests& requests_;
  KvCache kv_;
  PrefixCache prefix_;
  DecodeSet decodes_;
  std::deque<std::uint32_t> waiting_;
  std::uint32_t prefilling_ = kNoSlot;  ///< runs with an incomplete prompt; there is at most one, and it is the last running
  std::int64_t finishing_ = 0;
  std::int64_t last_step_ = 0;
  std::int64_t tokens_queued_ = 0;
  std::int64_t prefix_queries_ = 0;
  std::int64_t prefix_hits_ = 0;
  std::vector<std::uint32_t> preempted_;
  std::vector<std::uint32_t> loads_;  ///< by the last plan
  std::deque<std::uint32_t> loaded_;  ///< in the order in which they came to this replica
  std::int64_t loading_ = 0;          ///< requests
  std::int64_t in_transfer_ = 0;
  std::uint64_t enqueued_ = 0;
};

}  // namespace joulecast::serving
