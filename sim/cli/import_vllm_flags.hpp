#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace joulecast::cli {

/// One option of `vllm serve` (0.19).
struct VllmFlag {
  enum class Takes : std::uint8_t { value, words, nothing };
  /// What becomes of it: a key of our tables, no bearing on time and energy, or something that is not simulated.
  enum class Effect : std::uint8_t { expressed, none, lost };

  std::string_view name;  ///< without dashes
  Takes takes = Takes::value;
  Effect effect = Effect::none;
};

/// The option that a word such as "--max-num-seqs", "--max_num_seqs", "--no-async-scheduling", "-tp" or "--compilation-config.level" names, or null.
/// `negated` is set for the --no- form.
const VllmFlag* find_vllm_flag(std::string_view word, bool& negated);

/// All options as they are written: "--max-num-seqs".
std::vector<std::string> vllm_flag_names();

}  // namespace joulecast::cli
