#include <algorithm>

#include "base/error.hpp"
#include "serving/scheduler.hpp"

namespace joulecast::serving {

void Scheduler::hold(std::uint32_t slot) {
  JOULECAST_CHECK(requests_[slot].stage == Stage::finishing, "only a finishing request keeps its blocks");
  --finishing_;
  ++in_transfer_;
}

void Scheduler::let_go(std::uint32_t slot) {
  --in_transfer_;
  ActiveRequest& request = requests_[slot];
  kv_.release(blocks_of(request, request.offset + request.last_step) - prefix_.blocks(request));
  prefix_.release(request);
  requests_.remove(slot);
}

/// Takes the blocks of a whole prompt and leaves it to be fetched, but for what other requests have left here; false where they are not free.
bool Scheduler::start_load(std::uint32_t slot) {
  ActiveRequest& request = requests_[slot];
  const PrefixCache::Found found = shared(request);
  const std::int64_t all = blocks(request.prompt);
  if (all - found.held > kv_.free()) return false;
  waiting_.pop_front();
  if (engine_.enable_prefix_caching) {
    prefix_.take(request, found);
    prefix_queries_ += request.prompt;
    prefix_hits_ += found.blocks * engine_.block_size;
  }
  kv_.allocate(all - found.blocks);
  request.record->outcome.kv_blocks = static_cast<std::int32_t>(all - found.blocks);
  request.remote_kv = RemoteKv::loading;
  ++loading_;
  ++in_transfer_;
  loads_.push_back(slot);
  return true;
}

void Scheduler::loaded(std::uint32_t slot) {
  ActiveRequest& request = requests_[slot];
  JOULECAST_CHECK(request.remote_kv == RemoteKv::loading, "KV came that nobody waits for");
  request.remote_kv = RemoteKv::none;
  request.computed = request.prompt - 1;
  prefix_.add_computed(request);
  --loading_;
  const auto later = [&](std::uint64_t rank, std::uint32_t other) { return rank < requests_[other].enqueued; };
  loaded_.insert(std::upper_bound(loaded_.begin(), loaded_.end(), request.enqueued, later), slot);
}

void Scheduler::admit_loaded(Plan& next, std::int64_t& budget) {
  while (!loaded_.empty() && budget > 0 && running() < engine_.max_num_seqs) {
    const std::uint32_t slot = loaded_.front();
    loaded_.pop_front();
    --in_transfer_;
    requests_[slot].stage = Stage::prefill;
    requests_.append_running(slot);
    add_chunk(next, slot, 1);
    --budget;
  }
}

}  // namespace joulecast::serving
