#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace joulecast {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011): the block of four words for a
/// counter and a key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A stream of random numbers that depends only on the seed, an entity's name and a purpose: adding a pool does not shift another's draws.
class Stream {
 public:
  Stream(std::uint64_t seed, std::string_view name, std::string_view purpose);

  std::uint64_t next();
  /// Uniform in [0, 1) with 53 random bits.
  double uniform();
  /// Uniform in 0 .. bound - 1, without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Exponential with mean 1.
  double exponential();
  /// Standard normal (polar form is not used: two uniforms, Box-Muller, one kept).
  double normal();
  /// Gamma with the given shape and mean 1 (Marsaglia and Tsang, ACM TOMS 26(3), 2000; shape < 1 by the power of a uniform).
  double gamma(double shape);

 private:
  void refill();

  std::array<std::uint32_t, 2> key_;
  std::uint64_t block_ = 0;
  std::uint64_t salt_ = 0;
  std::array<std::uint64_t, 2> words_{};
  int left_ = 0;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace joulecast
