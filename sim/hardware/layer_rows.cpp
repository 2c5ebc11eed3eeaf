#include "hardware/layer_rows.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace joulecast::hardware {

namespace {

traces::TextLines open(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) {
    throw UserError({path, 0, 0}, "there is no such file", "name a folder that holds dense.csv, per_sequence.csv and attention.csv");
  }
  return traces::TextLines(path);
}

std::vector<traces::Column> wanted(const std::vector<std::string>& columns) {
  std::vector<traces::Column> result;
  for (const auto& column : columns) result.push_back({{column}});
  return result;
}

}  // namespace

LayerRows::LayerRows(const std::string& path, const std::vector<std::string>& columns) : path_(path), table_(open(path), wanted(columns)) {}

bool LayerRows::next() {
  if (table_.next()) {
    any_ = true;
    return true;
  }
  if (table_.torn()) throw UserError({path_, 0, 0}, "the last row was cut off", "use a complete layer profile");
  if (!any_) throw UserError({path_, 0, 0}, "holds no rows", "use a complete layer profile");
  return false;
}

double LayerRows::number(std::size_t column) const {
  const std::string_view word = table_.cell(column);
  double value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault == std::errc{} && end == word.data() + word.size() && value >= 0 && value < 1e15) return value;
  throw UserError(table_.place(column), fmt::format("\"{}\" is not a number of at least 0", word), "correct or remove the row");
}

double LayerRows::seconds(std::size_t column) const {
  const double us = number(column);
  if (us > 0) return us * 1e-6;
  throw UserError(table_.place(column), "a time of 0 us", "correct or remove the row");
}

}  // namespace joulecast::hardware
