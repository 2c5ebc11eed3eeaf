#include "serving/active_requests.hpp"

namespace joulecast::serving {

std::uint32_t ActiveRequests::add(RequestRecord& record, KvOwner owner, const traces::PrefixTree* prefixes) {
  std::uint32_t slot;
  if (unused_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
    // A slot's count of decodings goes on: it tells old entries of the completion queue from new ones.
    const std::uint32_t times_decoding = slots_[slot].times_decoding;
    slots_[slot] = {};
    slots_[slot].times_decoding = times_decoding;
  }
  ActiveRequest& request = slots_[slot];
  request.record = &record;
  request.owner = owner;
  request.prefixes = prefixes;
  request.prompt = record.facts.input;
  request.output = record.facts.output;
  return slot;
}

void ActiveRequests::append_running(std::uint32_t slot) {
  slots_[slot].before = last_;
  slots_[slot].after = kNoSlot;
  slots_[slot].admission = ++admissions_;
  if (last_ != kNoSlot) slots_[last_].after = slot;
  last_ = slot;
}

void ActiveRequests::remove_running(std::uint32_t slot) {
  const ActiveRequest& request = slots_[slot];
  if (request.before != kNoSlot) slots_[request.before].after = request.after;
  if (request.after != kNoSlot) {
    slots_[request.after].before = request.before;
  } else {
    last_ = request.before;
  }
}

}  // namespace joulecast::serving
