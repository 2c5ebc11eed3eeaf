#pragma once

#include <string>
#include <vector>

#include "scenario/tables/sweep.hpp"

namespace joulecast::study {

/// The values of a key along a dimension.
struct AxisPart {
  std::string key;                  ///< "pool.chat.replicas"
  std::string unit;                 ///< of `numbers`: SI, "1" for plain numbers; "" for words
  std::vector<double> numbers;      ///< in SI; empty where not every value is a number or a quantity of one unit
  std::vector<std::string> labels;  ///< as a person writes them: "1410 MHz"

  bool numeric() const { return !numbers.empty(); }
};

/// A dimension of a finished sweep: one key, or several that move together.
struct Axis {
  std::string name;
  std::vector<AxisPart> parts;
  std::size_t size() const { return parts.front().labels.size(); }
  /// The values of all parts: "4, 1410 MHz".
  std::string label(std::size_t value) const;
};

std::vector<Axis> axes_of(const scenario::SweepTable& table);

}  // namespace joulecast::study
