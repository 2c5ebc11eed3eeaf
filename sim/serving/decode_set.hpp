#pragma once

#include <cstdint>
#include <vector>

#include "serving/active_requests.hpp"
#include "serving/contexts.hpp"

namespace joulecast::serving {

/// The sequences that decode in the next step to be planned, as sums: how many, their context, their counts by context modulo the block size, and a
/// queue of who is done after which step, and one of who is longest. Planned steps have running numbers; a sequence reads offset + i tokens in step i.
class DecodeSet {
 public:
  /// Without `uneven` nobody asks how unevenly contexts are shared, and nothing is kept for it.
  DecodeSet(ActiveRequests& requests, std::int64_t block_size, bool uneven = true)
      : requests_(requests), block_size_(block_size), uneven_(uneven), at_residue_(static_cast<std::size_t>(block_size), 0) {}

  std::int64_t count() const { return count_; }
  /// The sum over sequences of the tokens that attention reads in step `step`.
  std::int64_t context(std::int64_t step) const { return offsets_ + count_ * step; }
  /// How unevenly they share it, in any step; evenly where nothing is kept for it.
  Unevenness unevenness();

  /// Adds a sequence whose `offset` and `last_step` are set.
  void join(std::uint32_t slot);
  /// The same for one whose last step nobody knows yet: the caller says when it is done.
  void join_open(std::uint32_t slot);
  /// Moves a sequence on by `tokens` beside the one of each step.
  void move_on(std::uint32_t slot, std::int64_t tokens);
  /// Takes one out (preempted or done).
  void leave(std::uint32_t slot);

  /// The last step of the sequence that is done first; INT64_MAX where there is none.
  std::int64_t first_done();
  /// Moves those whose last step is `step` out of the set and appends them to `done`.
  void take_done(std::int64_t step, std::vector<std::uint32_t>& done);

  /// New KV blocks that these sequences need for step `step`.
  std::int64_t blocks_needed(std::int64_t step) const { return at_residue_[residue(1 - step)]; }
  bool needs_block(const ActiveRequest& request, std::int64_t step) const { return residue(request.offset + step - 1) == 0; }
  /// The same for `steps` steps from `first` on, if nobody joins or leaves.
  std::int64_t blocks_needed(std::int64_t first, std::int64_t steps) const;
  /// How many steps from `first` on, at most `most`, need no more than `blocks` new blocks.
  std::int64_t steps_within(std::int64_t blocks, std::int64_t first, std::int64_t most) const;
  /// Those of `blocks_needed(step + 1)` that belong to sequences whose last step is `step`, the first to be done.
  std::int64_t blocks_of_done(std::int64_t step) const;

 private:
  struct Completion {
    std::int64_t last_step;
    std::uint32_t slot;
    std::uint32_t times_decoding;
  };
  static bool later(const Completion& a, const Completion& b) { return a.last_step != b.last_step ? a.last_step > b.last_step : a.slot > b.slot; }
  /// A sequence by its context, longest first; those that have left stay until they surface.
  struct Length {
    std::int64_t offset;
    std::uint32_t slot;
    std::uint32_t times_decoding;
  };
  void add_length(std::uint32_t slot);
  static bool shorter(const Length& a, const Length& b) { return a.offset < b.offset; }
  template <class Entry>
  bool stale(const Entry& entry) const {
    const ActiveRequest& request = requests_[entry.slot];
    return request.times_decoding != entry.times_decoding || request.stage != Stage::decode;
  }
  std::size_t residue(std::int64_t value) const {
    const std::int64_t rest = value % block_size_;
    return static_cast<std::size_t>(rest < 0 ? rest + block_size_ : rest);
  }

  ActiveRequests& requests_;
  std::int64_t block_size_;
  bool uneven_;
  std::vector<std::int64_t> at_residue_;  ///< sequences by offset modulo block size
  std::int64_t count_ = 0;
  std::int64_t offsets_ = 0;
  int128 squares_ = 0;                   ///< of offsets
  std::vector<Length> lengths_;          ///< heap
  std::vector<Completion> completions_;  ///< heap, earliest first; entries of preempted sequences stay until they surface
};

}  // namespace joulecast::serving
