#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace joulecast {

/// A 64-bit hash of text that is the same on every machine and in every build (FNV-1a, then a finalizer).
std::uint64_t hash_text(std::string_view text);

/// Mixes a value into a rolling hash.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash ^= hash >> 31;
  hash *= 0xbf58476d1ce4e5b9ULL;
  return hash ^ (hash >> 29);
}

/// SHA-256 of bytes, and of a file's content (throws UserError if it cannot be read), as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);
std::string sha256_of_file(const std::string& path);

}  // namespace joulecast
