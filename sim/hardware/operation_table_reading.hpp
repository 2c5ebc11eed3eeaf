#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "hardware/operation_table.hpp"

namespace joulecast::hardware {

/// Reads one table of a knots file: every getter reports what is missing or of the wrong kind and then gives an empty value; `finish` reports the
/// keys that nothing asked for.
class KnotsReader {
 public:
  KnotsReader(const config::Node& node, std::string name, config::Diagnostics& diagnostics);

  std::string text(const std::string& key);
  /// A finite number >= 0.
  double number(const std::string& key);
  /// A whole number >= 1.
  std::int64_t count(const std::string& key);
  std::vector<double> numbers(const std::string& key);
  std::vector<std::vector<double>> lists(const std::string& key);
  /// The tables below `key` (none where it is absent), with their names.
  std::vector<std::pair<std::string, const config::Node*>> tables(const std::string& key);
  const config::Node* table(const std::string& key);
  /// A curve from the lists `x_key` (rising) and `us_key` (positive microseconds); seconds. A one-knot curve where they can't be used.
  Curve curve(const std::string& x_key, const std::string& us_key, Curve::Scale scale);
  /// A surface from the list `row_key` (rising) and the lists of lists `x_key` and `us_key`; seconds.
  Surface surface(const std::string& row_key, const std::string& x_key, const std::string& us_key, Curve::Scale row_scale = Curve::Scale::linear);
  void finish(std::vector<std::string> later = {});

 private:
  const config::Node* find(const std::string& key);
  std::vector<double> numbers_of(const config::Node& node, const std::string& key);
  /// Whether the knots can be a curve; reports why not.
  bool usable(const std::vector<double>& x, const std::vector<double>& us, const Place& place, const std::string& keys, bool positive_x);
  void fault(const Place& place, const std::string& what, const std::string& remedy);

  const config::Table* table_ = nullptr;
  Place place_;
  std::string name_;
  config::Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

}  // namespace joulecast::hardware
