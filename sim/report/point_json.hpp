#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "study/sweep_point.hpp"

namespace joulecast::report {

/// The program that made something: what it made is of use to no other.
struct Build {
  std::string version, git_hash;
  bool operator==(const Build&) const = default;
};

/// What a point gave as one line of JSON, with the build that ran it; numbers come back to the bit.
std::string point_json(const study::PointOutcome& outcome, const Build& build);

/// The same back. nullopt where the text is not whole or of another build.
std::optional<study::PointOutcome> point_of(const std::string& text, const Build& build);

/// A shard: some points of a sweep, by number.
struct Shard {
  Build build;
  std::string sweep;          ///< ListedSweep::hash
  std::size_t i = 1, of = 1;  ///< points i - 1, i - 1 + of, ...
  std::map<std::size_t, study::PointOutcome> points;
};
std::string shard_json(const Shard& shard);
/// nullopt where the text is no whole shard.
std::optional<Shard> shard_of(const std::string& text);

}  // namespace joulecast::report
