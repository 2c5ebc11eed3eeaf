#include <algorithm>

#include "serving/scheduler.hpp"

namespace joulecast::serving {

/// Blocks that a sequence has in `step`: room for its drafts too, but never for more tokens than the request can come to.
std::int64_t Scheduler::blocks_to_verify(const ActiveRequest& request, std::int64_t step) const {
  const std::int64_t most = std::int64_t{request.record->facts.input} + request.output - 1;
  return std::max(request.held, blocks(std::min(request.offset + step + engine_.speculative.num_speculative_tokens, most)));
}

std::int64_t Scheduler::new_blocks_to_verify(std::int64_t step) const {
  std::int64_t needed = 0;
  for (std::uint32_t slot = requests_.last_running(); slot != kNoSlot; slot = requests_[slot].before) {
    const ActiveRequest& request = requests_[slot];
    if (request.stage == Stage::decode) needed += blocks_to_verify(request, step) - request.held;
  }
  return needed;
}

void Scheduler::take_blocks_to_verify(std::int64_t step) {
  for (std::uint32_t slot = requests_.last_running(); slot != kNoSlot; slot = requests_[slot].before) {
    ActiveRequest& request = requests_[slot];
    if (request.stage == Stage::decode) request.held = blocks_to_verify(request, step);
  }
}

/// What each decoding sequence gets in this step; the next step reads as much more.
void Scheduler::verify(Plan& made) {
  for (std::uint32_t slot = requests_.last_running(); slot != kNoSlot; slot = requests_[slot].before) {
    ActiveRequest& request = requests_[slot];
    if (request.stage != Stage::decode) continue;
    const std::int64_t drawn = engine_.speculative.tokens_of_step(request.owner, request.verified++);
    const std::int64_t gives = std::min(drawn, request.to_give);
    made.verified.push_back({slot, request.offset + made.step, gives});
    request.to_give -= gives;
    decodes_.move_on(slot, gives - 1);
  }
}

void Scheduler::finish_verified(Plan& made) {
  for (const Plan::Verified& each : made.verified) {
    ActiveRequest& request = requests_[each.slot];
    if (request.to_give > 0) continue;
    decodes_.leave(each.slot);
    request.stage = Stage::finishing;
    request.last_step = made.step;
    made.finishing.push_back(each.slot);
  }
}

/// The end of its prompt gives the first of the tokens that are left.
void Scheduler::start_verifying(std::uint32_t slot) {
  ActiveRequest& request = requests_[slot];
  request.to_give = request.output - (request.prompt - request.record->facts.input) - 1;
  request.held = blocks(request.prompt);
  decodes_.join_open(slot);
}

}  // namespace joulecast::serving
