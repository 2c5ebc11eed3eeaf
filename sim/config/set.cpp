#include <algorithm>

#include "config/nesting.hpp"
#include "config/node.hpp"

namespace joulecast::config {
namespace {

const std::string kSource = "--set";
constexpr std::string_view kForm = "write --set table.key=VALUE, for example --set pool.chat.replicas=6";

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The first "=" outside quotes.
std::size_t find_equals(std::string_view text) {
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == '"' && c == '\\') {
      ++at;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '=') {
      return at;
    }
  }
  return std::string_view::npos;
}

std::vector<std::pair<std::string, Place>> parse_path(std::string_view text) {
  if (text.find('\n') != std::string_view::npos || text.find('\r') != std::string_view::npos) {
    throw UserError({kSource, 1, 1}, "a key does not span lines", std::string(kForm));
  }
  Node tree = parse_text(std::string(text) + "=0", kSource);
  std::vector<std::pair<std::string, Place>> path;
  for (const Node* node = &tree; const Table* table = node->as<Table>(); node = table->entries.front().value.get()) {
    if (table->entries.size() != 1) throw UserError({kSource, 1, 1}, "no key stands before \"=\"", std::string(kForm));
    path.emplace_back(table->entries.front().key, table->entries.front().place);
  }
  return path;
}

/// VALUE, parsed so that its columns are those of the whole assignment, `offset` code points before it.
Node parse_value(std::string_view value, std::size_t offset) {
  const std::string lead = "x" + std::string(offset - 2, ' ') + "=";
  const Place place{kSource, 1, static_cast<int>(offset) + 1};
  const std::size_t first = value.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    throw UserError(place, "nothing stands behind \"=\"", "for an empty text write key='\"\"'");
  }
  const bool bare = std::string_view("\"'{[#").find(value[first]) == std::string_view::npos && value.find('\n') == std::string_view::npos;
  Node tree(false, place);
  try {
    tree = parse_text(lead + std::string(value), kSource);
  } catch (const UserError&) {
    if (!bare) throw;
    const std::size_t last = value.find_last_not_of(" \t\r");
    tree = parse_text(lead + quoted(value.substr(first, last - first + 1)), kSource);
  }
  Table* table = tree.as<Table>();
  if (table->entries.size() != 1 || table->entries.front().key != "x") throw UserError(place, "more than one value", "write one --set for each key");
  return std::move(*table->entries.front().value);
}

int depth_of(const Node& node) {
  int deepest = 0;
  if (const auto* table = node.as<Table>()) {
    for (const Table::Entry& entry : table->entries) deepest = std::max(deepest, depth_of(*entry.value));
    return deepest + 1;
  }
  if (const auto* list = node.as<Node::Array>()) {
    for (const Node& element : *list) deepest = std::max(deepest, depth_of(element));
    return deepest + 1;
  }
  return 0;
}

}  // namespace

void set(Node& root, const std::string& assignment) {
  const std::size_t equals = find_equals(assignment);
  if (equals == std::string_view::npos) throw UserError({kSource, 1, 1}, "no \"=\" in " + quoted(assignment), std::string(kForm));
  if (assignment.find_first_not_of(" \t") == equals) throw UserError({kSource, 1, 1}, "no key stands before \"=\"", std::string(kForm));
  const std::string_view text = assignment;
  const auto path = parse_path(text.substr(0, equals));
  Node value = parse_value(text.substr(equals + 1), code_points(text.substr(0, equals)) + 1);
  if (static_cast<int>(path.size()) + depth_of(value) > kDeepest) {
    throw UserError({kSource, 1, 1}, "tables or lists stand in one another more than " + std::to_string(kDeepest) + " deep", "write it flatter");
  }

  Node* at = &root;
  std::string walked;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string& key = path[i].first;
    const Place& place = path[i].second;
    Table* table = at->as<Table>();
    if (table == nullptr) {
      throw UserError(place, walked + " is " + std::string(at->kind()) + " (" + at->place().text() + "), it has no key " + quoted(key),
                      "set " + walked + " to a table instead");
    }
    walked += (walked.empty() ? "" : ".") + key_text(key);
    const auto found = std::find_if(table->entries.begin(), table->entries.end(), [&](const Table::Entry& known) { return known.key == key; });
    const bool last = i + 1 == path.size();
    if (found == table->entries.end()) {
      table->entries.push_back({key, place, std::make_unique<Node>(last ? std::move(value) : Node(Table{}, place))});
      at = table->entries.back().value.get();
      continue;
    }
    if (last) {
      *found->value = std::move(value);
      found->place = place;
    }
    at = found->value.get();
  }
}

}  // namespace joulecast::config
