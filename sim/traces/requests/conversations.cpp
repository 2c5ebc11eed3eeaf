#include "traces/requests/conversations.hpp"

namespace joulecast::traces {

std::uint32_t Conversations::of_session(std::string_view name) {
  const auto [found, made] = sessions_.try_emplace(std::string(name), count_ + 1);
  if (made) ++count_;
  return found->second;
}

std::uint32_t Conversations::of_turn(std::int64_t turn, std::int64_t before) {
  const auto known = [&](std::int64_t id) {
    const auto found = turns_.find(id);
    return found == turns_.end() ? 0U : found->second;
  };
  std::uint32_t conversation = before < 0 ? 0 : known(before);
  if (conversation == 0) conversation = known(turn);
  if (conversation == 0) conversation = ++count_;
  turns_[turn] = conversation;
  if (before >= 0) turns_[before] = conversation;
  return conversation;
}

void Conversations::clear() {
  sessions_.clear();
  turns_.clear();
  count_ = 0;
}

}  // namespace joulecast::traces
