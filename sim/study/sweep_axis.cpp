#include "study/sweep_axis.hpp"

#include "config/inline_text.hpp"
#include "config/quantity_text.hpp"

namespace joulecast::study {

namespace {

std::string label_of(const config::Node& value) {
  const auto* text = value.as<std::string>();
  return text != nullptr ? *text : config::inline_text(value);
}

/// Adds a value to `part` as a number; false where it is none, or of another unit than those before it.
bool add_number(const config::Node& value, AxisPart& part) {
  double number = 0;
  std::string unit = "1";
  if (const auto* integer = value.as<std::int64_t>()) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = value.as<double>()) {
    number = *real;
  } else if (const auto* text = value.as<std::string>()) {
    const auto quantity = config::quantity_of(*text);
    if (!quantity) return false;
    number = quantity->si;
    unit = quantity->si_unit;
  } else {
    return false;
  }
  if (!part.numbers.empty() && unit != part.unit) return false;
  part.unit = unit;
  part.numbers.push_back(number);
  return true;
}

AxisPart part_of(const scenario::SweepKey& key) {
  AxisPart part;
  part.key = key.text;
  bool numeric = true;
  for (const config::Node& value : key.values) {
    part.labels.push_back(label_of(value));
    numeric = numeric && add_number(value, part);
  }
  if (!numeric) {
    part.numbers.clear();
    part.unit.clear();
  }
  return part;
}

}  // namespace

std::string Axis::label(std::size_t value) const {
  std::string text;
  for (const AxisPart& part : parts) text += (text.empty() ? "" : ", ") + part.labels[value];
  return text;
}

std::vector<Axis> axes_of(const scenario::SweepTable& table) {
  std::vector<Axis> axes;
  for (const scenario::SweepDimension& dimension : table.dimensions) {
    Axis axis{dimension.name(), {}};
    for (const scenario::SweepKey& key : dimension.keys) axis.parts.push_back(part_of(key));
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace joulecast::study
