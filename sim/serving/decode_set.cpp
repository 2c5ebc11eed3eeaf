#include "serving/decode_set.hpp"

#include <algorithm>

namespace joulecast::serving {

void DecodeSet::join_open(std::uint32_t slot) {
  ActiveRequest& request = requests_[slot];
  request.stage = Stage::decode;
  ++request.times_decoding;
  ++count_;
  offsets_ += request.offset;
  ++at_residue_[residue(request.offset)];
  add_length(slot);
}

/// Entries of those that left or moved on are cleared out when they are the most.
void DecodeSet::add_length(std::uint32_t slot) {
  if (!uneven_) return;
  const ActiveRequest& request = requests_[slot];
  squares_ += int128{request.offset} * request.offset;
  lengths_.push_back({request.offset, slot, request.times_decoding});
  if (static_cast<std::int64_t>(lengths_.size()) <= 4 * count_ + 64) {
    std::push_heap(lengths_.begin(), lengths_.end(), shorter);
    return;
  }
  std::erase_if(lengths_, [this](const Length& length) { return stale(length) || requests_[length.slot].offset != length.offset; });
  std::make_heap(lengths_.begin(), lengths_.end(), shorter);
}

void DecodeSet::move_on(std::uint32_t slot, std::int64_t tokens) {
  ActiveRequest& request = requests_[slot];
  if (tokens == 0) return;
  --at_residue_[residue(request.offset)];
  if (uneven_) squares_ -= int128{request.offset} * request.offset;
  request.offset += tokens;
  offsets_ += tokens;
  ++at_residue_[residue(request.offset)];
  add_length(slot);
}

void DecodeSet::join(std::uint32_t slot) {
  join_open(slot);
  const ActiveRequest& request = requests_[slot];
  completions_.push_back({request.last_step, slot, request.times_decoding});
  std::push_heap(completions_.begin(), completions_.end(), later);
}

void DecodeSet::leave(std::uint32_t slot) {
  const ActiveRequest& request = requests_[slot];
  --count_;
  offsets_ -= request.offset;
  if (uneven_) squares_ -= int128{request.offset} * request.offset;
  --at_residue_[residue(request.offset)];
}

Unevenness DecodeSet::unevenness() {
  if (!uneven_) return {};
  while (!lengths_.empty() && (stale(lengths_.front()) || requests_[lengths_.front().slot].offset != lengths_.front().offset)) {
    std::pop_heap(lengths_.begin(), lengths_.end(), shorter);
    lengths_.pop_back();
  }
  if (count_ <= 1) return {};
  return {count_ * lengths_.front().offset - offsets_, count_ * squares_ - int128{offsets_} * offsets_};
}

std::int64_t DecodeSet::first_done() {
  while (!completions_.empty() && stale(completions_.front())) {
    std::pop_heap(completions_.begin(), completions_.end(), later);
    completions_.pop_back();
  }
  return completions_.empty() ? INT64_MAX : completions_.front().last_step;
}

void DecodeSet::take_done(std::int64_t step, std::vector<std::uint32_t>& done) {
  while (first_done() == step) {
    const std::uint32_t slot = completions_.front().slot;
    leave(slot);
    requests_[slot].stage = Stage::finishing;
    done.push_back(slot);
    std::pop_heap(completions_.begin(), completions_.end(), later);
    completions_.pop_back();
  }
}

std::int64_t DecodeSet::blocks_needed(std::int64_t first, std::int64_t steps) const {
  std::int64_t blocks = steps / block_size_ * count_;
  const std::int64_t rest = steps % block_size_;
  std::size_t at = residue(1 - first);
  for (std::int64_t i = 0; i < rest; ++i) {
    blocks += at_residue_[at];
    at = (at == 0 ? at_residue_.size() : at) - 1;
  }
  return blocks;
}

std::int64_t DecodeSet::steps_within(std::int64_t blocks, std::int64_t first, std::int64_t most) const {
  if (count_ == 0) return most;
  // Any block_size steps in a row need one block a sequence.
  const std::int64_t rounds = std::min(blocks / count_, most / block_size_);
  std::int64_t steps = rounds * block_size_;
  blocks -= rounds * count_;
  std::size_t at = residue(1 - first);
  while (steps < most && at_residue_[at] <= blocks) {
    blocks -= at_residue_[at];
    at = (at == 0 ? at_residue_.size() : at) - 1;
    ++steps;
  }
  return steps;
}

std::int64_t DecodeSet::blocks_of_done(std::int64_t step) const {
  std::int64_t blocks = 0;
  // In a heap all entries with the smallest key hang together below the root; stale ones with a smaller key may lie above.
  const auto count = [&](const auto& self, std::size_t at) -> void {
    if (at >= completions_.size() || completions_[at].last_step > step) return;
    const Completion& completion = completions_[at];
    if (completion.last_step == step && !stale(completion) && needs_block(requests_[completion.slot], step + 1)) ++blocks;
    self(self, 2 * at + 1);
    self(self, 2 * at + 2);
  };
  count(count, 0);
  return blocks;
}

}  // namespace joulecast::serving
