#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validation/tolerance.hpp"

namespace joulecast::validation {

/// What a match says. Only `measured` is evidence: others measured it and nothing of ours was fitted to it.
enum class Kind : std::uint8_t { exact, measured, derived, regression };
std::string_view name(Kind kind);

/// One figure that joulecast works out and that is known from elsewhere.
struct Entry {
  std::string id;        ///< "serving.vllm.rtx4090-llama-3.1-8b.tpot_mean"
  std::string quantity;  ///< in words
  std::string source;
  double expected = 0;
  std::string unit;
  std::string tolerance;  ///< as `parse_tolerance` reads it
  Kind kind = Kind::exact;
};

/// Where a comparison finds what it reads.
struct Sources {
  std::string data;   ///< the folder of measured data, "" where there is none
  std::string share;  ///< the folder with hardware_profiles/, workloads/ and scenarios/
};

/// Entries that come from one computation, in the same order.
struct Comparison {
  std::vector<Entry> entries;
  /// Works them out. Nothing where the data that it needs is not there. Throws UserError for a faulty file.
  std::function<std::optional<std::vector<Ours>>(const Sources& sources)> compute;
};

/// Every comparison, by rising id.
std::vector<Comparison> comparisons();
/// Those of `comparisons`, and what else the folder of measured data holds of the same kinds.
std::vector<Comparison> comparisons(const Sources& sources);

enum class Verdict : std::uint8_t { pass, fail, skipped };
std::string_view name(Verdict verdict);

struct Outcome {
  Entry entry;
  std::optional<Ours> ours;  ///< absent where skipped
  Verdict verdict = Verdict::skipped;
};

/// Computes all entries whose id begins with `only` and judges them, in the order of `comparisons`; `begin` is told each computation's first entry
/// before it starts, and may be empty.
std::vector<Outcome> validate(const std::vector<Comparison>& all, const Sources& sources, std::string_view only,
                              const std::function<void(const Entry&)>& begin = {});

}  // namespace joulecast::validation
