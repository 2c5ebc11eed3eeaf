#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "config/nesting.hpp"
#include "config/node.hpp"

namespace joulecast::config {
namespace {

class Converter {
 public:
  explicit Converter(std::string file) : file_(std::move(file)) {}

  Node node(const toml::node& from, int depth) const {
    const Place place = place_of(from.source());
    if (depth > kDeepest) {
      throw UserError(place, "tables or lists stand in one another more than " + std::to_string(kDeepest) + " deep", "write it flatter");
    }
    if (const auto* value = from.as_boolean()) return {value->get(), place};
    if (const auto* value = from.as_integer()) return {value->get(), place};
    if (const auto* value = from.as_floating_point()) return {value->get(), place};
    if (const auto* value = from.as_string()) return {value->get(), place};
    if (const auto* value = from.as_date()) return {date_time(value->get(), {}, {}), place};
    if (const auto* value = from.as_date_time()) return {date_time(value->get().date, value->get().time, value->get().offset), place};
    if (const auto* array = from.as_array()) {
      Node::Array out;
      for (const toml::node& element : *array) out.push_back(node(element, depth + 1));
      return {std::move(out), place};
    }
    if (const auto* table = from.as_table()) return {entries(*table, depth), place};
    throw UserError(place, "a time of day without a date has no meaning here", "write date and time, or put the text in quotes");
  }

 private:
  Place place_of(const toml::source_region& region) const {
    return {file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  Table entries(const toml::table& table, int depth) const {
    Table out;
    for (const auto& [key, value] : table) {
      out.entries.push_back({std::string(key.str()), place_of(key.source()), std::make_unique<Node>(node(value, depth + 1))});
    }
    std::stable_sort(out.entries.begin(), out.entries.end(), [](const Table::Entry& a, const Table::Entry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return out;
  }

  static DateTime date_time(toml::date date, toml::time time, std::optional<toml::time_offset> offset) {
    DateTime out;
    out.year = date.year;
    out.month = date.month;
    out.day = date.day;
    out.hour = time.hour;
    out.minute = time.minute;
    out.second = time.second;
    out.nanosecond = time.nanosecond;
    out.has_offset = offset.has_value();
    out.offset_minutes = offset ? offset->minutes : 0;
    return out;
  }

  std::string file_;
};

std::string remedy_for(std::string_view description) {
  const auto says = [&](std::string_view part) { return description.find(part) != std::string_view::npos; };
  if (says("redefine existing table") || (says("table header") && says("redefine"))) {
    return "merge the two tables into one, or give one of them another name";
  }
  if (says("redefine")) return "keep one of the two";
  if (says("utf-8")) return "save the file as UTF-8";
  if (says("end-of-file")) return "close what is still open here";
  if (says("value type") || says("comment or whitespace") || says("leading zeroes") || says("floating-point")) {
    return "put text and quantities in quotes: key = \"1.25 kW\"";
  }
  if (says("64 bits") || says("could not be interpreted")) return "write a number that a computer can hold";
  return "write it as TOML (https://toml.io): key = value, one on a line, below a [table] header";
}

std::string content_of(const std::string& path) {
  constexpr std::uintmax_t largest = 64u << 20;
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) throw UserError({path, 0, 0}, "this is a folder, not a file", "name a TOML file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "unknown reason";
    throw UserError({path, 0, 0}, "the file cannot be opened: " + reason, "check the path and its permissions");
  }
  std::string text;
  std::string block(1 << 16, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest) throw UserError({path, 0, 0}, "the file is larger than 64 MiB", "is it a TOML file?");
  }
  return text;
}

}  // namespace

Node parse_text(std::string_view text, const std::string& file_name) {
  check_nesting(text, file_name);
  try {
    return Converter(file_name).node(toml::parse(text, std::string_view(file_name)), 0);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    if (what.rfind("Error while ", 0) == 0) what = "not valid TOML: " + what.substr(sizeof("Error while ") - 1);
    const toml::source_position at = error.source().begin;
    throw UserError({file_name, static_cast<int>(at.line), static_cast<int>(at.column)}, std::move(what), remedy_for(error.description()));
  }
}

Node parse_file(const std::string& path) { return parse_text(content_of(path), path); }

}  // namespace joulecast::config
