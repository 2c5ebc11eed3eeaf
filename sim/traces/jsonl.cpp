#include "traces/jsonl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "traces/excerpt.hpp"

namespace joulecast::traces {
namespace {

using Json = nlohmann::json;

/// Keeps the wanted top-level values of one object and remembers the first fault.
class Keeper : public nlohmann::json_sax<Json> {
 public:
  Keeper(const std::vector<std::string>& keys, std::vector<JsonField>& fields) : keys_(keys), fields_(fields) {
    for (JsonField& field : fields_) field.kind = JsonField::Kind::absent;
  }

  bool null() override { return keep(JsonField::Kind::null, {}); }
  bool boolean(bool) override { return keep(JsonField::Kind::boolean, {}); }
  bool number_integer(number_integer_t value) override { return keep(JsonField::Kind::number, std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ != 2 || current_ == nullptr || current_->kind != JsonField::Kind::integers)
      return keep(JsonField::Kind::number, std::to_string(value));
    current_->integers.push_back(value);
    return true;
  }
  bool number_float(number_float_t, const string_t& text) override { return keep(JsonField::Kind::number, text); }
  bool string(string_t& text) override { return keep(JsonField::Kind::string, text); }
  bool binary(binary_t&) override { return false; }
  bool start_array(std::size_t) override { return enter(JsonField::Kind::integers); }
  bool end_array() override { return leave(); }
  bool start_object(std::size_t) override {
    object_ = object_ || depth_ == 0;
    return enter(JsonField::Kind::nested);
  }
  bool end_object() override { return leave(); }

  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    const auto found = std::find(keys_.begin(), keys_.end(), name);
    current_ = found == keys_.end() ? nullptr : &fields_[static_cast<std::size_t>(found - keys_.begin())];
    if (current_ == nullptr || current_->kind == JsonField::Kind::absent) return true;
    twice_ = name;
    return false;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    fault_at_ = std::max<std::size_t>(position, 1);
    return false;
  }

  bool is_object() const { return object_; }
  std::size_t fault_at() const { return fault_at_; }
  const std::string& twice() const { return twice_; }

 private:
  bool keep(JsonField::Kind kind, std::string_view text) {
    if (depth_ == 0) return false;
    if (depth_ == 1 && current_ != nullptr) {
      current_->kind = kind;
      current_->text = text;
      current_->integers.clear();
    } else if (depth_ > 1 && current_ != nullptr) {
      current_->kind = JsonField::Kind::nested;
    }
    return true;
  }
  bool enter(JsonField::Kind kind) {
    if (depth_ == 0 && !object_) return false;
    if (depth_ > 0) keep(kind, {});
    ++depth_;
    return true;
  }
  bool leave() {
    --depth_;
    return true;
  }

  const std::vector<std::string>& keys_;
  std::vector<JsonField>& fields_;
  JsonField* current_ = nullptr;
  std::size_t depth_ = 0;
  bool object_ = false;
  std::size_t fault_at_ = 0;
  std::string twice_;
};

/// The position of the value of a top-level key in a line that is a JSON object; npos where the key is absent.
std::size_t find_value(std::string_view line, std::string_view key) {
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t begin = i + 1;
    for (++i; i < line.size() && line[i] != '"'; ++i) i += line[i] == '\\' ? 1 : 0;
    if (depth != 1 || line.substr(begin, i - begin) != key) continue;
    const std::size_t colon = line.find_first_not_of(" \t", i + 1);
    if (colon == std::string_view::npos || line[colon] != ':') continue;
    return line.find_first_not_of(" \t", colon + 1);
  }
  return std::string_view::npos;
}

}  // namespace

JsonLines::JsonLines(TextLines lines, std::vector<std::string> keys) : lines_(std::move(lines)), keys_(std::move(keys)), fields_(keys_.size()) {}

bool JsonLines::next() {
  if (torn_) return false;
  do {
    if (!lines_.next()) return false;
  } while (lines_.line().find_first_not_of(" \t\r") == std::string_view::npos);

  const std::string_view line = lines_.line();
  Keeper keeper(keys_, fields_);
  if (Json::sax_parse(line.begin(), line.end(), &keeper)) return true;

  const std::size_t at = keeper.fault_at();
  const bool at_the_end = at > line.size();  // nlohmann counts the end itself as a character read
  if (at_the_end && !lines_.terminated()) {
    torn_ = true;
    return false;
  }
  const auto column = static_cast<int>(std::clamp<std::size_t>(at, 1, line.size()));
  const Place place{lines_.name(), lines_.number(), column};
  if (!keeper.twice().empty()) {
    throw UserError(place, fmt::format("the key \"{}\" stands twice in one object", excerpt(keeper.twice())), "keep one of them");
  }
  if (at == 0) {
    throw UserError(place, fmt::format("read \"{}\", expected one JSON object a line", excerpt(line)),
                    "write each request as {...} on a line of its own");
  }
  throw UserError(place, fmt::format("no JSON from \"{}\" on", excerpt(line.substr(static_cast<std::size_t>(column) - 1))),
                  "correct the line, or delete it (NaN and infinities are no JSON)");
}

Place JsonLines::place(std::size_t key) const {
  const std::size_t at = find_value(lines_.line(), keys_[key]);
  return {lines_.name(), lines_.number(), at == std::string_view::npos ? 1 : static_cast<int>(at) + 1};
}

void JsonLines::refuse(std::size_t key, std::string_view expected, std::string remedy) const {
  const JsonField& value = fields_[key];
  std::string read;
  switch (value.kind) {
    case JsonField::Kind::absent:
      read = "no";
      break;
    case JsonField::Kind::null:
      read = "null as";
      break;
    case JsonField::Kind::boolean:
      read = "true or false as";
      break;
    case JsonField::Kind::number:
      read = fmt::format("{} as", excerpt(value.text));
      break;
    case JsonField::Kind::string:
      read = fmt::format("the string \"{}\" as", excerpt(value.text));
      break;
    case JsonField::Kind::integers:
      read = fmt::format("an array of {} numbers as", value.integers.size());
      break;
    case JsonField::Kind::nested:
      read = "an array or object as";
      break;
  }
  throw UserError(place(key), fmt::format("read {} {}, expected {}", read, keys_[key], expected), std::move(remedy));
}

void JsonLines::rewind() {
  lines_.rewind();
  torn_ = false;
}

}  // namespace joulecast::traces
