#include "serving/speculation.hpp"

#include "base/philox.hpp"

namespace joulecast::serving {

double Speculation::expected_tokens() const {
  double sum = 0, reached = 1;
  for (std::int64_t i = 0; i <= num_speculative_tokens; ++i, reached *= acceptance_rate) sum += reached;
  return sum;
}

std::int64_t Speculation::tokens_of_step(std::uint64_t request, std::uint32_t step) const {
  const auto low = static_cast<std::uint32_t>(request), high = static_cast<std::uint32_t>(request >> 32);
  const auto words = philox4x32({low, high, step, 0x73706563}, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  constexpr double kOne = 9007199254740992;  // 2^53
  const double uniform = static_cast<double>((static_cast<std::uint64_t>(words[0]) << 32 | words[1]) >> 11) / kOne;
  std::int64_t tokens = 1;
  for (double reached = acceptance_rate; tokens <= num_speculative_tokens && uniform < reached; reached *= acceptance_rate) ++tokens;
  return tokens;
}

}  // namespace joulecast::serving
