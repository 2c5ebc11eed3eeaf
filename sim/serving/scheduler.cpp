#include "serving/scheduler.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace joulecast::serving {

namespace {

/// Prompt tokens that the traffic says are found where nothing is known of what requests share; the last one is always computed.
std::int64_t stated_cached(const EngineConfig& engine, const ActiveRequest& request) {
  return engine.enable_prefix_caching ? std::min<std::int64_t>(request.record->facts.cached, request.prompt - 1) : 0;
}

}  // namespace

void Plan::clear() {
  decodes = 0;
  context = 0;
  uneven = {};
  chunks.clear();
  owners.clear();
  verified.clear();
  finishing.clear();
}

Scheduler::Scheduler(const EngineConfig& engine, ActiveRequests& requests, bool uneven)
    : engine_(engine),
      requests_(requests),
      kv_(engine.num_gpu_blocks - 1),
      prefix_(kv_, engine.block_size),
      decodes_(requests, engine.block_size, uneven) {
  JOULECAST_CHECK(engine.max_num_seqs > 0 && engine.block_size > 0 && engine.num_gpu_blocks > 1, "an engine's sizes must be positive");
  JOULECAST_CHECK(engine.max_num_batched_tokens >= engine.max_num_seqs * engine.speculative.scheduled(), "a step can't hold every sequence's tokens");
}

void Scheduler::enqueue(std::uint32_t slot) {
  ActiveRequest& request = requests_[slot];
  JOULECAST_CHECK(blocks(request.prompt + request.output - 1) <= kv_.usable(), "a request that can never fit was let in");
  waiting_.push_back(slot);
  request.enqueued = ++enqueued_;
  tokens_queued_ += request.remote_kv == RemoteKv::none ? request.prompt : 1;
}

void Scheduler::plan(Plan& next) {
  next.clear();
  preempted_.clear();
  loads_.clear();
  next.step = last_step_ + 1;
  const std::int64_t scheduled = engine_.speculative.scheduled();
  std::int64_t chunk = rest_of_prompt(engine_.max_num_batched_tokens - scheduled * decodes_.count());
  make_room(next, chunk);
  next.decodes = decodes_.count();
  next.context = decodes_.context(next.step);
  next.uneven = decodes_.unevenness();
  if (engine_.speculative.on()) verify(next);
  if (prefilling_ != kNoSlot) {
    const std::uint32_t slot = std::exchange(prefilling_, kNoSlot);
    add_chunk(next, slot, chunk);
  }
  if (preempted_.empty() && !none_to_admit()) admit(next, engine_.max_num_batched_tokens - scheduled * next.decodes - chunk);
  if (!next.empty()) after(next);
}

std::int64_t Scheduler::rest_of_prompt(std::int64_t budget) const {
  if (prefilling_ == kNoSlot) return 0;
  return std::min(requests_[prefilling_].prompt - requests_[prefilling_].computed, budget);
}

/// Preempts until the running requests find their blocks, and takes these.
void Scheduler::make_room(Plan& next, std::int64_t& chunk) {
  for (;;) {
    const bool speculates = engine_.speculative.on();
    std::int64_t need = speculates ? new_blocks_to_verify(next.step) : decodes_.blocks_needed(next.step);
    if (prefilling_ != kNoSlot) {
      const std::int64_t computed = requests_[prefilling_].computed;
      need += blocks(computed + chunk) - blocks(computed);
    }
    if (need <= kv_.free()) {
      kv_.allocate(need);
      if (speculates) take_blocks_to_verify(next.step);
      return;
    }
    if (prefilling_ != kNoSlot) chunk = 0;
    preempt_last(next.step);
  }
}

void Scheduler::preempt_last(std::int64_t step) {
  const std::uint32_t slot = requests_.last_running();
  JOULECAST_CHECK(slot != kNoSlot, "KV blocks are missing and nobody is left to preempt");
  ActiveRequest& request = requests_[slot];
  std::int64_t computed = request.computed;
  if (request.stage == Stage::decode) {
    // The steps planned so far compute all tokens but the last one that they give.
    computed = request.offset + step - 1;
    request.prompt = request.offset + step;
    decodes_.leave(slot);
  } else {
    tokens_queued_ -= request.prompt - request.computed;
    prefilling_ = kNoSlot;
  }
  requests_.remove_running(slot);
  request.own_from = prefix_.blocks(request);
  const std::int64_t full = engine_.enable_prefix_caching ? computed / engine_.block_size : request.own_from;
  kv_.release_findable(request.owner, full - request.own_from, blocks_of(request, computed) - full);
  prefix_.release(request);
  request.computed = 0;
  request.held = 0;
  request.stage = Stage::waiting;
  tokens_queued_ += request.prompt;
  waiting_.push_front(slot);
  preempted_.push_back(slot);
}

void Scheduler::admit(Plan& next, std::int64_t budget) {
  if (!loaded_.empty()) admit_loaded(next, budget);
  while (!waiting_.empty() && budget > 0 && running() < engine_.max_num_seqs) {
    const std::uint32_t slot = waiting_.front();
    ActiveRequest& request = requests_[slot];
    if (request.remote_kv == RemoteKv::remote) {
      if (!start_load(slot)) return;
      continue;
    }
    const PrefixCache::Found found = shared(request);
    if (blocks(request.prompt) - found.held > kv_.free()) return;
    const std::int64_t own = own_findable(request, found);
    const std::int64_t cached = std::max<std::int64_t>((found.blocks + own) * engine_.block_size, stated_cached(engine_, request));
    const std::int64_t tokens = std::min(request.prompt - cached, budget);
    if (!engine_.enable_chunked_prefill && cached + tokens < request.prompt) return;
    waiting_.pop_front();
    if (own > 0) {
      kv_.take_findable(request.owner);
    } else if (request.record->outcome.preemptions > 0) {
      kv_.forget(request.owner);
    }
    if (engine_.enable_prefix_caching) prefix_.take(request, found);
    kv_.allocate(blocks(cached + tokens) - found.blocks - own);
    request.stage = Stage::prefill;
    request.computed = cached;
    tokens_queued_ -= cached;
    if (engine_.enable_prefix_caching) prefix_queries_ += request.prompt;
    prefix_hits_ += cached;
    requests_.append_running(slot);
    add_chunk(next, slot, tokens);
    budget -= tokens;
  }
}

void Scheduler::add_chunk(Plan& next, std::uint32_t slot, std::int64_t tokens) {
  ActiveRequest& request = requests_[slot];
  next.chunks.push_back({tokens, request.computed});
  request.computed += tokens;
  tokens_queued_ -= tokens;
  prefix_.add_computed(request);
  const bool completes = request.computed == request.prompt;
  next.owners.push_back({slot, completes});
  if (!completes) {
    prefilling_ = slot;
    return;
  }
  const traces::Request& facts = request.record->facts;
  request.offset = request.prompt - next.step;
  request.last_step = next.step + request.output - (request.prompt - facts.input) - 1;
  // Until `after` it is neither decoding nor prefilling and counts as finishing.
  ++finishing_;
}

/// Prepares the set of decoding sequences for the plan after `made`.
void Scheduler::after(Plan& made) {
  last_step_ = made.step;
  const std::size_t before = made.finishing.size();
  decodes_.take_done(made.step, made.finishing);
  if (engine_.speculative.on()) finish_verified(made);
  finishing_ += static_cast<std::int64_t>(made.finishing.size() - before);
  for (std::size_t i = 0; i < made.owners.size(); ++i) {
    if (!made.owners[i].completes) continue;
    const std::uint32_t slot = made.owners[i].slot;
    ActiveRequest& request = requests_[slot];
    if (request.last_step == made.step) {
      request.stage = Stage::finishing;
      made.finishing.push_back(slot);
    } else {
      --finishing_;
      if (engine_.speculative.on()) {
        start_verifying(slot);
      } else {
        decodes_.join(slot);
      }
    }
  }
  // Blocks are freed in the running order: what others can find of them depends on it.
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return requests_[a].admission < requests_[b].admission; };
  if (made.finishing.size() > 1) std::sort(made.finishing.begin(), made.finishing.end(), earlier);
  for (const std::uint32_t slot : made.finishing) requests_.remove_running(slot);
}

bool Scheduler::can_admit() {
  if (running() >= engine_.max_num_seqs) return false;
  if (!loaded_.empty()) return true;
  if (waiting_.empty()) return false;
  const ActiveRequest& request = requests_[waiting_.front()];
  const std::int64_t needed = blocks(request.prompt);
  return needed <= kv_.free() || needed - shared(request).held <= kv_.free();
}

/// What of the request's prompt other requests have left in KV.
PrefixCache::Found Scheduler::shared(const ActiveRequest& request) {
  return engine_.enable_prefix_caching ? prefix_.find(request) : PrefixCache::Found{};
}

/// Blocks of a preempted request's own that follow what was found of its prefix.
std::int64_t Scheduler::own_findable(const ActiveRequest& request, const PrefixCache::Found& found) const {
  return request.record->outcome.preemptions > 0 && found.blocks == request.own_from ? kv_.findable(request.owner) : 0;
}

std::int64_t Scheduler::repeat_blocks(std::int64_t plans, std::int64_t done) const {
  std::int64_t needed = decodes_.blocks_needed(last_step_ + 1, plans);
  if (done > last_step_ && last_step_ + plans > done) needed -= decodes_.blocks_of_done(done);
  return needed;
}

void Scheduler::repeat(std::int64_t plans, Plan& before, Plan& last) {
  JOULECAST_CHECK(last.chunks.empty() && last.step == last_step_, "only the last plan can be repeated, and only if it has no prompt chunk");
  std::int64_t bulk = 0;
  if (last.finishing.empty()) bulk = std::min(plans, first_done() - last_step_ - 1);
  if (bulk > 0) {
    kv_.allocate(decodes_.blocks_needed(last_step_ + 1, bulk));
    last_step_ += bulk;
    last.step += bulk;
    last.context += bulk * last.decodes;
    before.clear();
    before.step = last.step - 1;
    before.decodes = last.decodes;
    before.context = last.context - last.decodes;
    before.uneven = last.uneven;
  }
  for (std::int64_t i = bulk; i < plans; ++i) {
    std::swap(before, last);
    last.clear();
    if (decodes_.count() == 0) return;
    last.step = last_step_ + 1;
    last.decodes = decodes_.count();
    last.context = decodes_.context(last.step);
    last.uneven = decodes_.unevenness();
    kv_.allocate(decodes_.blocks_needed(last.step));
    after(last);
  }
}

}  // namespace joulecast::serving
