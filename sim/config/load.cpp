#include <algorithm>
#include <filesystem>

#include "config/files.hpp"
#include "config/node.hpp"

namespace joulecast::config {
namespace {

namespace fs = std::filesystem;

struct Link {
  std::string path;   ///< as the user wrote it
  fs::path identity;  ///< the same for two names of one file
};

fs::path identity_of(const std::string& path) {
  std::error_code failed;
  fs::path out = fs::weakly_canonical(path, failed);
  return failed ? fs::path(path) : out;
}

/// What `extends` names; takes the key out of the table.
std::vector<Node> take_extends(Node& root) {
  std::vector<Node> names;
  Table* table = root.as<Table>();
  const Node* value = table->find("extends");
  if (value == nullptr) return names;
  if (value->as<std::string>() != nullptr) {
    names.push_back(*value);
  } else if (const auto* list = value->as<Node::Array>()) {
    names = *list;
  } else {
    throw UserError(value->place(), "\"extends\" expects a file name or a list of them, read " + std::string(value->kind()),
                    "write extends = \"other.toml\"");
  }
  for (const Node& name : names) {
    if (name.as<std::string>() == nullptr) {
      throw UserError(name.place(), "\"extends\" expects file names, read " + std::string(name.kind()), "write extends = [\"other.toml\"]");
    }
  }
  std::erase_if(table->entries, [](const Table::Entry& entry) { return entry.key == "extends"; });
  return names;
}

/// `files`, where given, gets every file that is read.
Node load_chain(const std::string& path, std::vector<Link>& chain, std::vector<std::string>* files) {
  constexpr std::size_t longest = 16;
  chain.push_back({path, identity_of(path)});
  Node own = parse_file(path);
  const std::vector<Node> names = take_extends(own);
  if (names.empty()) {
    if (files != nullptr) files->push_back(path);
    chain.pop_back();
    return own;
  }
  Node out(Table{}, own.place());
  for (const Node& name : names) {
    const std::string next = resolve_path(*name.as<std::string>(), name.place());
    const fs::path identity = identity_of(next);
    const auto first = std::find_if(chain.begin(), chain.end(), [&](const Link& link) { return link.identity == identity; });
    if (first != chain.end()) {
      std::string circle;
      for (auto link = first; link != chain.end(); ++link) circle += link->path + " -> ";
      throw UserError(name.place(), "\"extends\" goes in a circle: " + circle + next, "remove one of these \"extends\"");
    }
    if (chain.size() >= longest) {
      throw UserError(name.place(), "\"extends\" is more than " + std::to_string(longest) + " files long", "merge some of them");
    }
    std::error_code failed;
    if (!fs::exists(next, failed)) {
      throw UserError(name.place(), "\"extends\" names a file that is not there: " + next, "check the path; it is relative to the folder of " + path);
    }
    merge(out, load_chain(next, chain, files));
  }
  merge(out, own);
  if (files != nullptr) files->push_back(path);
  chain.pop_back();
  return out;
}

}  // namespace

Node load(const std::string& path) {
  std::vector<Link> chain;
  return load_chain(path, chain, nullptr);
}

std::vector<std::string> files_of(const std::string& path) {
  std::vector<Link> chain;
  std::vector<std::string> files;
  load_chain(path, chain, &files);
  return files;
}

void merge(Node& base, const Node& over) {
  Table* into = base.as<Table>();
  const Table* from = over.as<Table>();
  if (into == nullptr || from == nullptr) {
    base = over;
    return;
  }
  for (const Table::Entry& entry : from->entries) {
    const auto found = std::find_if(into->entries.begin(), into->entries.end(), [&](const Table::Entry& known) { return known.key == entry.key; });
    if (found == into->entries.end()) {
      into->entries.push_back({entry.key, entry.place, std::make_unique<Node>(*entry.value)});
      continue;
    }
    merge(*found->value, *entry.value);
    found->place = entry.place;
  }
  base = Node(std::move(base.value()), over.place());
}

std::string resolve_path(const std::string& path, const Place& place) {
  if (place.file.empty() || place.file == "--set" || fs::path(path).is_absolute()) return path;
  return (fs::path(place.file).parent_path() / path).string();
}

}  // namespace joulecast::config
