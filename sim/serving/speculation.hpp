#pragma once

#include <cstdint>

namespace joulecast::serving {

/// Speculative decoding (vLLM's --speculative-config): in each step of a decoding sequence `num_speculative_tokens` drafted tokens are verified together; the
/// longest right beginning of them is kept and one token more is given.
///
/// Each draft is right with probability a, independently (Leviathan, Kalman, Matias, "Fast inference from transformers via speculative decoding", ICML 2023,
/// section 3.1): P(at least i are kept) = a^i, so the expected tokens of a step are (1 - a^(k+1))/(1 - a), its equation 1. How many are kept is drawn a request and
/// step, so that what other requests do shifts nothing; acceptance that falls with a draft's position or differs between requests is not modelled.
struct Speculation {
  /// How drafts are made: by a small model, by a layer on top of the model's own states, by looking up n-grams of the text so far (free of GPU work).
  enum class Method : std::uint8_t { draft_model, eagle, ngram };

  Method method = Method::ngram;
  std::int64_t num_speculative_tokens = 0;  ///< k; 0: none
  double acceptance_rate = 0;               ///< a, in 0 .. 1
  std::uint64_t seed = 0;                   ///< of the draws

  bool on() const { return num_speculative_tokens > 0; }
  /// Tokens that a decoding sequence has in a step.
  std::int64_t scheduled() const { return 1 + num_speculative_tokens; }
  /// Mean tokens that a step gives: Leviathan et al., equation 1.
  double expected_tokens() const;
  /// Tokens that the `step`-th decode step of a request gives, 1 .. k + 1.
  std::int64_t tokens_of_step(std::uint64_t request, std::uint32_t step) const;
};

}  // namespace joulecast::serving
