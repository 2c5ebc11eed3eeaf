#include "hardware/profiles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

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

/// Paths of all *.toml files of a folder.
std::vector<std::string> files_in(const std::string& folder) {
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
  return paths;
}

/// Whether a file's text holds a word, whatever the case: files that do not need not be parsed to be passed over.
bool mentions(const std::string& path, const std::string& lower_word) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return lower(text).find(lower_word) != std::string::npos;
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
  std::vector<ProfileEntry> entries;
  for (const auto& path : files_in(folder)) entries.push_back(entry_of(path));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

std::string find_profile(const std::string& folder, const std::string& what, const std::string& wanted, const Place& place) {
  if (wanted.ends_with(".toml")) {
    const auto path = config::resolve_path(wanted, place);
    if (std::filesystem::exists(path)) return path;
    throw UserError(place, fmt::format("there is no {} file \"{}\"", what, path), "give the path of a file, relative to this one");
  }
  std::vector<std::string> also_called;
  std::string path;
  std::vector<std::string> files = files_in(folder);
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    if (!mentions(file, lower(wanted))) continue;
    const ProfileEntry entry = entry_of(file);
    if (lower(entry.name) == lower(wanted)) return entry.path;
    const auto same = [&](const std::string& alias) { return lower(alias) == lower(wanted); };
    if (std::none_of(entry.aliases.begin(), entry.aliases.end(), same)) continue;
    also_called.push_back(entry.name);
    path = entry.path;
  }
  if (also_called.size() == 1) return path;
  std::sort(also_called.begin(), also_called.end());
  if (also_called.size() > 1) {
    throw UserError(place, fmt::format("\"{}\" is the name of {} {}s: {}", wanted, also_called.size(), what, fmt::join(also_called, ", ")),
                    "write one of these; they differ in the default power limit, which nvidia-smi -q shows");
  }
  std::vector<std::string> names, first_names;
  for (const auto& entry : list_profiles(folder)) {
    first_names.push_back(entry.name);
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  }
  const auto meant = config::nearest(wanted, names);
  throw UserError(place, fmt::format("no {} is called \"{}\"", what, wanted),
                  meant.empty() ? fmt::format("known: {}", fmt::join(first_names, ", ")) : fmt::format("did you mean \"{}\"?", meant));
}

}  // namespace joulecast::hardware
