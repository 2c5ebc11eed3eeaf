#include "cli/parameter_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/numbers.hpp"

namespace joulecast::cli {

using config::Parameter;

nlohmann::ordered_json parameter_json(const Parameter& p) {
  nlohmann::ordered_json j = {{"key", p.key}, {"type", p.type}};
  if (!p.unit.empty()) j["unit"] = p.unit;
  if (!p.default_text.empty()) j["default"] = p.default_text;
  if (!p.bounds.empty()) j["bounds"] = p.bounds;
  j["required"] = p.required;
  if (p.later) j["supported"] = false;
  j["text"] = p.text;
  for (const Parameter& nested : p.nested) j["keys"].push_back(parameter_json(nested));
  return j;
}

std::string wrapped(std::string_view text, int width, int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out, line;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    if (!line.empty() &&
        margin.size() + report::display_width(line) + 1 + report::display_width(std::string(word)) > static_cast<std::size_t>(width)) {
      out += margin + line + "\n";
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return out + margin + line + "\n";
}

void print_parameter(const Parameter& p, int indent, Console& console) {
  std::string properties = p.type;
  if (!p.unit.empty()) properties += fmt::format(" in {}", p.unit);
  if (!p.bounds.empty()) properties += fmt::format(", {}", p.bounds);
  if (p.required) properties += ", required";
  if (!p.default_text.empty()) properties += fmt::format(", default {}", p.default_text);
  if (p.later) properties = "not yet supported";
  console.print(fmt::format("{:{}}{}  {}\n", "", indent, console.inked(report::Ink::heading, p.key), console.inked(report::Ink::dim, properties)));
  if (!p.text.empty()) console.print(wrapped(p.text, console.width(), indent + 4));
}

}  // namespace joulecast::cli
