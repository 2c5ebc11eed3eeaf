#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/record.hpp"
#include "metering/ledger.hpp"

namespace joulecast::scenario {

/// A key of the scenario and the values that it takes.
struct SweepKey {
  std::vector<std::string> path;     ///< "pool", "chat", "replicas"
  std::string text;                  ///< "pool.chat.replicas"
  Place place;                       ///< of the key
  std::vector<config::Node> values;  ///< with the places where they were written
};

/// One dimension of a sweep: a key, or several that move together (`[sweep.zip]`).
struct SweepDimension {
  std::vector<SweepKey> keys;
  std::string name() const;  ///< the keys, with "+" between them
  std::size_t size() const { return keys.front().values.size(); }
};

/// `[sweep.settings]`.
struct SweepSettings {
  metering::Boundary boundary = metering::Boundary::facility;
  std::vector<std::string> objectives;  ///< keys of figures; empty: what fits the scenario
  Place place;                          ///< of the objectives
};

/// `[sweep]`: what is varied. The keys stay as they are written: they are changes of the file, read after they were made.
struct SweepTable {
  SweepSettings settings;
  std::vector<SweepDimension> dimensions;  ///< in the order of the file; the last varies fastest
  Place place;

  std::size_t points() const;  ///< the product of the dimensions' sizes
};

inline constexpr std::size_t kMostSweepPoints = 100'000;

/// Reads `[sweep]`. Reports every fault: no key, a key without values, unequal lengths in `[sweep.zip]`, a key twice, one that can't be varied.
SweepTable read_sweep(const config::Node& node, config::Diagnostics& diagnostics);
/// For `schema`.
std::vector<config::Parameter> describe_sweep();

}  // namespace joulecast::scenario
