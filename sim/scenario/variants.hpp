#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/load.hpp"
#include "scenario/records.hpp"

namespace joulecast::scenario {

/// A value at a key, by its path; the place is the key's.
struct Assignment {
  std::vector<std::string> path;
  Place place;
  config::Node value;
};

/// A scenario file of which variants are read: as it is, with the keys of an arm, at the point of a sweep. A fault has its place in the file that was
/// written, whichever variant shows it.
class VariantFile {
 public:
  /// Reads the file and what it extends, and applies `--set`.
  VariantFile(const std::string& path, const LoadOptions& options);
  /// The same of what was parsed already, from a file of that name.
  VariantFile(config::Node root, std::string path, LoadOptions options);

  const std::string& path() const { return path_; }
  const LoadOptions& options() const { return options_; }
  const config::Node& root() const { return root_; }
  /// Takes a table out of the file: what says the variants is no part of them.
  std::optional<config::Node> take(const std::string& key);

  Scenario as_it_is() const { return resolved(root_); }
  /// With tables of keys merged into it, key by key, as `extends` does.
  Scenario merged(const config::Node& keys) const;
  /// With values in the place of what stands at their keys, as `--set` does.
  Scenario with(const std::vector<Assignment>& changes) const;
  /// What the records read of the same, before names are looked up: throws for what no scenario may say (an unknown key, a unit that is missing), and not
  /// for what does not fit together.
  File read(const std::vector<Assignment>& changes) const;

 private:
  config::Node changed(const std::vector<Assignment>& changes) const;
  File file_of(const config::Node& root) const;
  Scenario resolved(const config::Node& root) const;

  config::Node root_;
  std::string path_;
  LoadOptions options_;
};

/// The faults of several variants, one that they share once.
class SharedFaults {
 public:
  void add(const UserError& error);
  bool empty() const { return faults_.empty(); }
  /// Throws UserError with all of them, if there is any.
  void throw_if_any() const;

 private:
  std::vector<UserFault> faults_;
};

}  // namespace joulecast::scenario
