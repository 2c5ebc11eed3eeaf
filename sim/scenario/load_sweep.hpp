#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/tables/sweep.hpp"
#include "scenario/variants.hpp"

namespace joulecast::scenario {

/// A scenario file with its `[sweep]`: the points are variants of the file, made when they are asked for.
class SweepFile {
 public:
  SweepFile(VariantFile file, SweepTable table);

  const SweepTable& table() const { return table_; }
  const std::string& path() const { return file_.path(); }
  const std::string& name() const { return name_; }
  std::uint64_t seed() const { return seed_; }  ///< of the first point
  std::size_t points() const { return table_.points(); }

  /// Which value each dimension has at a point; the last dimension varies fastest.
  std::vector<std::size_t> at(std::size_t point) const;
  /// The scenario at a point. Throws UserError for what does not fit together there.
  Scenario scenario(std::size_t point) const;
  /// What `--set` would say to get there: "pool.chat.replicas=4", one a key.
  std::vector<std::string> settings(std::size_t point) const;

 private:
  std::vector<Assignment> changes(std::size_t point) const;
  void check_points();

  VariantFile file_;
  SweepTable table_;
  std::string name_;
  std::uint64_t seed_ = 0;
};

/// Whether a scenario file has `[sweep]`.
bool has_sweep(const std::string& path, const LoadOptions& options);

/// Reads a scenario file with its `[sweep]`: `--set` first, then, for each point, its values in the place of what stands at their keys. Throws UserError with
/// all faults at once, one that several points share once: no `[sweep]` or an empty one, a `--set` or `--seed` of a key that is swept, a key that is not
/// known or of a table that is not there, a value that its key does not take. What does not fit together is a fault of the points that have it.
SweepFile load_sweep(const std::string& path, const LoadOptions& options);

}  // namespace joulecast::scenario
