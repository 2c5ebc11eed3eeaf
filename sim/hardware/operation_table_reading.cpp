#include "hardware/operation_table_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace joulecast::hardware {

namespace {

std::optional<double> as_number(const config::Node& node) {
  if (const auto* whole = node.as<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* real = node.as<double>(); real != nullptr && std::isfinite(*real)) return *real;
  return std::nullopt;
}

Curve unusable_curve() { return Curve({1}, {1}, Curve::Scale::linear); }

}  // namespace

KnotsReader::KnotsReader(const config::Node& node, std::string name, config::Diagnostics& diagnostics)
    : table_(node.as<config::Table>()), place_(node.place()), name_(std::move(name)), diagnostics_(diagnostics) {
  if (table_ == nullptr) fault(place_, fmt::format("{} is {}, not a table", name_, node.kind()), "make the file again with its tool");
}

void KnotsReader::fault(const Place& place, const std::string& what, const std::string& remedy) { diagnostics_.error(place, what, remedy); }

const config::Node* KnotsReader::find(const std::string& key) {
  known_.push_back(key);
  if (table_ == nullptr) return nullptr;
  const config::Node* node = table_->find(key);
  if (node == nullptr) fault(place_, fmt::format("{} has no {}", name_, key), fmt::format("add {}", key));
  return node;
}

std::string KnotsReader::text(const std::string& key) {
  const config::Node* node = find(key);
  if (node == nullptr) return "";
  if (const auto* value = node->as<std::string>()) return *value;
  fault(node->place(), fmt::format("{} is {}, not a string", key, node->kind()), "write it in quotes");
  return "";
}

double KnotsReader::number(const std::string& key) {
  const config::Node* node = find(key);
  if (node == nullptr) return 0;
  const auto value = as_number(*node);
  if (value && *value >= 0) return *value;
  fault(node->place(), fmt::format("{} is not a finite number of at least 0", key), "write a number");
  return 0;
}

std::int64_t KnotsReader::count(const std::string& key) {
  const config::Node* node = find(key);
  if (node == nullptr) return 1;
  if (const auto* value = node->as<std::int64_t>(); value != nullptr && *value >= 1) return *value;
  fault(node->place(), fmt::format("{} is not a whole number of at least 1", key), "write a whole number");
  return 1;
}

std::vector<double> KnotsReader::numbers_of(const config::Node& node, const std::string& key) {
  const auto* array = node.as<config::Node::Array>();
  if (array == nullptr) {
    fault(node.place(), fmt::format("{} is {}, not a list of numbers", key, node.kind()), "write [1, 2, ...]");
    return {};
  }
  std::vector<double> values;
  for (const config::Node& item : *array) {
    const auto value = as_number(item);
    if (!value) {
      fault(item.place(), fmt::format("{} holds {}, not a finite number", key, item.kind()), "write numbers only");
      return {};
    }
    values.push_back(*value);
  }
  if (values.empty()) fault(node.place(), fmt::format("{} is empty", key), "give at least one number");
  return values;
}

std::vector<double> KnotsReader::numbers(const std::string& key) {
  const config::Node* node = find(key);
  return node == nullptr ? std::vector<double>{} : numbers_of(*node, key);
}

std::vector<std::vector<double>> KnotsReader::lists(const std::string& key) {
  const config::Node* node = find(key);
  if (node == nullptr) return {};
  const auto* array = node->as<config::Node::Array>();
  if (array == nullptr) {
    fault(node->place(), fmt::format("{} is {}, not a list of lists", key, node->kind()), "write [[1, 2], [3]]");
    return {};
  }
  std::vector<std::vector<double>> lists;
  for (const config::Node& item : *array) lists.push_back(numbers_of(item, key));
  if (lists.empty()) fault(node->place(), fmt::format("{} is empty", key), "give at least one list");
  return lists;
}

std::vector<std::pair<std::string, const config::Node*>> KnotsReader::tables(const std::string& key) {
  known_.push_back(key);
  std::vector<std::pair<std::string, const config::Node*>> found;
  const config::Node* node = table_ == nullptr ? nullptr : table_->find(key);
  if (node == nullptr) return found;
  const auto* table = node->as<config::Table>();
  if (table == nullptr) {
    fault(node->place(), fmt::format("{} is {}, not a table", key, node->kind()), fmt::format("write [{}.NAME]", key));
    return found;
  }
  for (const auto& entry : table->entries) found.emplace_back(key + "." + entry.key, entry.value.get());
  return found;
}

const config::Node* KnotsReader::table(const std::string& key) { return find(key); }

bool KnotsReader::usable(const std::vector<double>& x, const std::vector<double>& us, const Place& place, const std::string& keys, bool positive_x) {
  if (x.empty() || us.empty()) return false;  // reported where it was read
  if (x.size() != us.size()) {
    fault(place, fmt::format("{} of {} have {} and {} values", keys, name_, x.size(), us.size()), "give as many of the one as of the other");
    return false;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool rises = i == 0 ? (positive_x ? x[0] > 0 : x[0] >= 0) : x[i] > x[i - 1];
    if (rises && us[i] > 0) continue;
    fault(place, fmt::format("{} of {}: value {} is {} at {} us", keys, name_, i + 1, x[i], us[i]), "knots must rise and times must be positive");
    return false;
  }
  return true;
}

Curve KnotsReader::curve(const std::string& x_key, const std::string& us_key, Curve::Scale scale) {
  std::vector<double> x = numbers(x_key), us = numbers(us_key);
  if (!usable(x, us, place_, x_key + " and " + us_key, scale == Curve::Scale::logarithmic)) return unusable_curve();
  for (double& y : us) y *= 1e-6;
  return Curve(std::move(x), std::move(us), scale);
}

Surface KnotsReader::surface(const std::string& row_key, const std::string& x_key, const std::string& us_key, Curve::Scale row_scale) {
  std::vector<double> rows = numbers(row_key);
  std::vector<std::vector<double>> x = lists(x_key), us = lists(us_key);
  const std::string keys = x_key + " and " + us_key;
  bool good = usable(rows, std::vector<double>(rows.size(), 1), place_, row_key, true);
  good = good && !x.empty() && !us.empty();
  if (good && (x.size() != rows.size() || us.size() != rows.size())) {
    fault(place_, fmt::format("{} of {} have {} and {} lists for {} {}", keys, name_, x.size(), us.size(), rows.size(), row_key),
          "give one list for each");
    good = false;
  }
  std::vector<Curve> curves;
  for (std::size_t i = 0; good && i < rows.size(); ++i) {
    good = usable(x[i], us[i], place_, keys, false);
    for (double& y : us[i]) y *= 1e-6;
    if (good) curves.emplace_back(std::move(x[i]), std::move(us[i]), Curve::Scale::linear);
  }
  return good ? Surface(std::move(rows), std::move(curves), row_scale) : Surface({1}, {unusable_curve()});
}

void KnotsReader::finish(std::vector<std::string> later) {
  if (table_ == nullptr) return;
  known_.insert(known_.end(), later.begin(), later.end());
  for (const auto& entry : table_->entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    const std::string meant = config::nearest(entry.key, known_);
    fault(entry.place, fmt::format("{} has no key {}", name_, entry.key), meant.empty() ? "remove it" : fmt::format("did you mean {}?", meant));
  }
}

}  // namespace joulecast::hardware
