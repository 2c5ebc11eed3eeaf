#include "hardware/profiles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "config/node.hpp"

namespace joulecast::hardware {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (auto& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

ProfileEntry entry_of(const std::string& path) {
  const auto root = config::load(path);
  ProfileEntry entry{path, "", {}};
  const auto* table = root.as<config::Table>();
  const auto* name = table == nullptr ? nullptr : table->find("name");
  const auto* text = name == nullptr ? nullptr : name->as<std::string>();
  if (text == nullptr) throw UserError(root.place(), fmt::format("{} has no name", path), "write name = \"..\" at its top");
  entry.name = *text;
  if (const auto* aliases = table->find("aliases")) {
    if (const auto* list = aliases->as<config::Node::Array>()) {
      for (const auto& alias : *list) {
        if (const auto* one = alias.as<std::string>()) entry.aliases.push_back(*one);
      }
    }
  }
  return entry;
}

}  // namespace

std::vector<ProfileEntry> list_profiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    if (it->path().extension() == ".toml") paths.push_back(it->path().string());
  }
  if (failed) {
    throw UserError(Place{folder, 0, 0}, fmt::format("can't list the folder: {}", failed.message()),
                    "give the folder that holds hardware_profiles/ and workloads/");
  }
  std::vector<ProfileEntry> entries;
  entries.reserve(paths.size());
  for (const auto& path : paths) entries.push_back(entry_of(path));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

std::string find_profile(const std::string& folder, const std::string& what, const std::string& wanted, const Place& place) {
  if (wanted.ends_with(".toml")) {
    const auto path = config::resolve_path(wanted, place);
    if (std::filesystem::exists(path)) return path;
    throw UserError(place, fmt::format("there is no {} file \"{}\"", what, path), "give the path of a file, relative to this one");
  }
  std::vector<std::string> names, first_names, also_called;
  std::string path;
  for (const auto& entry : list_profiles(folder)) {
    first_names.push_back(entry.name);
    names.push_back(entry.name);
    if (lower(entry.name) == lower(wanted)) return entry.path;
    const auto same = [&](const std::string& alias) { return lower(alias) == lower(wanted); };
    if (std::any_of(entry.aliases.begin(), entry.aliases.end(), same)) {
      also_called.push_back(entry.name);
      path = entry.path;
    }
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  }
  if (also_called.size() == 1) return path;
  if (also_called.size() > 1) {
    throw UserError(place, fmt::format("\"{}\" is the name of {} {}s: {}", wanted, also_called.size(), what, fmt::join(also_called, ", ")),
                    "write one of these; they differ in the default power limit, which nvidia-smi -q shows");
  }
  const auto meant = config::nearest(wanted, names);
  throw UserError(place, fmt::format("no {} is called \"{}\"", what, wanted),
                  meant.empty() ? fmt::format("known: {}", fmt::join(first_names, ", ")) : fmt::format("did you mean \"{}\"?", meant));
}

}  // namespace joulecast::hardware
