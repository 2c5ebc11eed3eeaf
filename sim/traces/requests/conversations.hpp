#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace joulecast::traces {

/// Numbers the conversations of a trace from 1 in the order in which they first appear.
class Conversations {
 public:
  /// By a session's name; equal names are one conversation.
  std::uint32_t of_session(std::string_view name);
  /// By a turn's id and that of the turn before it (below 0 for the first). A turn whose predecessor has not been seen begins a conversation, which
  /// others with the same predecessor, and the predecessor itself, join.
  std::uint32_t of_turn(std::int64_t turn, std::int64_t before);
  /// Forgets all, for a second reading.
  void clear();

 private:
  std::unordered_map<std::string, std::uint32_t> sessions_;  ///< looked up, never iterated
  std::unordered_map<std::int64_t, std::uint32_t> turns_;
  std::uint32_t count_ = 0;
};

}  // namespace joulecast::traces
