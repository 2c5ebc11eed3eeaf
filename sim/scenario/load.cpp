#include "scenario/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "config/diagnostics.hpp"
#include "scenario/load_arms.hpp"
#include "scenario/placement.hpp"
#include "scenario/records.hpp"
#include "scenario/resolver.hpp"
#include "traces/grid/options.hpp"
#include "traces/requests/options.hpp"

namespace joulecast::scenario {

using config::Diagnostics;

namespace {

Scenario resolve(const config::Node& root, const std::string& path, const LoadOptions& options) {
  Diagnostics diagnostics;
  File file = file_record().read(root, diagnostics);
  diagnostics.throw_if_failed();
  if (file.name.empty()) file.name = std::filesystem::path(path).stem().string();
  if (file.name.find_first_of("/\\\n") != std::string::npos || file.name == "." || file.name == "..") {
    diagnostics.error({path, 0, 0}, "the name \"" + file.name + "\" can't name a folder", "leave out slashes and line ends");
  }
  if (options.seed) file.seed = static_cast<std::int64_t>(*options.seed);
  Scenario scenario = Resolver(file, options.share_dir, diagnostics).resolve();
  if (!diagnostics.failed()) check_placement(scenario, diagnostics);
  diagnostics.throw_if_failed();
  std::sort(scenario.inputs.begin(), scenario.inputs.end());
  scenario.inputs.erase(std::unique(scenario.inputs.begin(), scenario.inputs.end()), scenario.inputs.end());
  for (const auto& note : diagnostics.notes()) scenario.notes.push_back(note);
  if (file.compare) {
    scenario.arms = file.compare->arm.size();
    scenario.notes.push_back(fmt::format("[compare] has {} arms that were left alone; `joulecast compare` runs them", file.compare->arm.size()));
  }
  if (file.plan) scenario.notes.push_back("[plan] was left alone, and the fleet is the file's own; `joulecast plan` chooses one");
  return scenario;
}

/// Takes a table out of the file.
std::optional<config::Node> take(config::Node& root, const std::string& key) {
  auto* table = root.as<config::Table>();
  const config::Node* found = table == nullptr ? nullptr : table->find(key);
  if (found == nullptr) return std::nullopt;
  std::optional<config::Node> taken(*found);
  std::erase_if(table->entries, [&](const config::Table::Entry& entry) { return entry.key == key; });
  return taken;
}

/// Says what a key holds that may be a table.
void hold(std::vector<config::Parameter>& keys, const std::vector<std::string>& path, std::vector<config::Parameter> nested) {
  std::vector<config::Parameter>* at = &keys;
  config::Parameter* found = nullptr;
  for (const std::string& part : path) {
    const auto key = std::find_if(at->begin(), at->end(), [&](const config::Parameter& each) { return each.key == part; });
    JOULECAST_CHECK(key != at->end(), "the schema has no " + part);
    found = &*key;
    at = &found->nested;
  }
  found->nested = std::move(nested);
}

bool same_fault(const UserFault& a, const UserFault& b) { return a.text() == b.text(); }

}  // namespace

config::Node load_tree(const std::string& path, const LoadOptions& options) {
  config::Node root = config::load(path);
  for (const auto& assignment : options.sets) config::set(root, assignment);
  return root;
}

Scenario load_from_tree(const config::Node& root, const std::string& path, const LoadOptions& options) { return resolve(root, path, options); }

Scenario load(const std::string& path, const LoadOptions& options) { return resolve(load_tree(path, options), path, options); }

Scenario load_text(const std::string& toml, const std::string& name, const LoadOptions& options) {
  config::Node root = config::parse_text(toml, name);
  for (const auto& assignment : options.sets) config::set(root, assignment);
  return resolve(root, name, options);
}

Arms load_arms(const std::string& path, const LoadOptions& options) {
  config::Node root = load_tree(path, options);
  const auto compare = take(root, "compare");
  if (!compare) {
    throw UserError({path, 0, 0}, "the scenario has no [compare]",
                    "add [compare] and [compare.arm.NAME]; `joulecast schema compare` shows their keys");
  }
  Diagnostics diagnostics;
  Arms loaded;
  loaded.compare = compare_record().read(*compare, diagnostics);
  diagnostics.throw_if_failed();
  std::vector<UserFault> faults;
  for (const auto& [name, keys] : loaded.compare.arm) {
    if (name == loaded.compare.reference) loaded.reference = loaded.arms.size();
    config::Node arm = root;
    config::merge(arm, keys);
    try {
      loaded.arms.push_back({name, resolve(arm, path, options)});
    } catch (const UserError& error) {
      for (const UserFault& fault : error.faults()) {
        const bool known = std::any_of(faults.begin(), faults.end(), [&](const UserFault& each) { return same_fault(each, fault); });
        if (!known) faults.push_back(fault);
      }
    }
  }
  if (!faults.empty()) throw UserError(std::move(faults));
  return loaded;
}

std::string run_hash(const Scenario& scenario) {
  std::string content = resolved_toml(scenario);
  for (const auto& input : scenario.inputs) content += "\n" + sha256_of_file(input);
  return sha256(content).substr(0, 16);
}

std::vector<config::Parameter> schema() {
  std::vector<config::Parameter> keys = file_record().describe();
  hold(keys, {"site", "price"}, traces::series_record().describe());
  hold(keys, {"site", "carbon"}, traces::series_record().describe());
  hold(keys, {"traffic", "requests"}, traces::trace_record().describe());
  return keys;
}

}  // namespace joulecast::scenario
