#include "base/philox.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace joulecast {
namespace {

__extension__ using uint128 = unsigned __int128;

constexpr std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  // Multipliers and Weyl increments of the paper's table 2 and section 3.3.
  constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0];
    const std::uint64_t product_1 = multiplier_1 * counter[2];
    counter = {high(product_1) ^ counter[1] ^ key[0], low(product_1), high(product_0) ^ counter[3] ^ key[1], low(product_0)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

Stream::Stream(std::uint64_t seed, std::string_view name, std::string_view purpose) {
  const std::uint64_t of_name = hash_text(name);
  const std::uint64_t of_purpose = hash_text(purpose);
  const std::uint64_t key = mix(mix(seed, of_name), of_purpose);
  key_ = {low(key), high(key)};
  salt_ = mix(mix(of_purpose, of_name), seed);
}

void Stream::refill() {
  const auto block = philox4x32({low(block_), high(block_), low(salt_), high(salt_)}, key_);
  ++block_;
  words_ = {block[0] | static_cast<std::uint64_t>(block[1]) << 32, block[2] | static_cast<std::uint64_t>(block[3]) << 32};
  left_ = 2;
}

std::uint64_t Stream::next() {
  if (left_ == 0) refill();
  --left_;
  return words_[left_ == 1 ? 0 : 1];
}

double Stream::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::uint64_t Stream::below(std::uint64_t bound) {
  JOULECAST_CHECK(bound > 0, "below(0)");
  // Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
  uint128 product = static_cast<uint128>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<uint128>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Stream::exponential() { return -std::log1p(-uniform()); }

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(2 * exponential());
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

double Stream::gamma(double shape) {
  JOULECAST_CHECK(shape > 0 && std::isfinite(shape), "gamma needs a positive shape");
  const double raised = shape < 1 ? shape + 1 : shape;
  const double d = raised - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  double cube = 0;
  for (;;) {
    const double x = normal();
    const double v = 1 + c * x;
    if (v <= 0) continue;
    cube = v * v * v;
    if (std::log(1 - uniform()) < 0.5 * x * x + d * (1 - cube + std::log(cube))) break;
  }
  const double boost = shape < 1 ? std::pow(1 - uniform(), 1 / shape) : 1;
  return boost * d * cube / shape;
}

}  // namespace joulecast
