#include "scenario/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "config/diagnostics.hpp"
#include "scenario/placement.hpp"
#include "scenario/resolver.hpp"

namespace joulecast::scenario {

using config::Diagnostics;
using config::Node;
using config::Table;

namespace {

/// Says what a run leaves alone.
void note_others(const File& file, Scenario& scenario) {
  if (file.compare) {
    scenario.arms = file.compare->arm.size();
    scenario.notes.push_back(fmt::format("[compare] has {} arms that were left alone; `joulecast compare` runs them", file.compare->arm.size()));
  }
  if (file.plan) scenario.notes.push_back("[plan] was left alone, and the fleet is the file's own; `joulecast plan` chooses one");
  if (file.sweep) {
    scenario.notes.push_back(fmt::format("[sweep] has {} points that were left alone; `joulecast sweep` runs them", file.sweep->points()));
  }
}

void put(Node& root, const Assignment& change) {
  Node* at = &root;
  std::string walked;
  for (const std::string& key : change.path) {
    Table* table = at->as<Table>();
    if (table == nullptr) {
      throw UserError(change.place, fmt::format("{} is {} ({}), it has no key {}", walked, at->kind(), at->place().text(), config::quoted(key)),
                      fmt::format("write {} as a table, or give it whole tables as values", walked));
    }
    walked += (walked.empty() ? "" : ".") + config::key_text(key);
    const auto known = std::find_if(table->entries.begin(), table->entries.end(), [&](const Table::Entry& entry) { return entry.key == key; });
    if (known == table->entries.end()) {
      table->entries.push_back({key, change.place, std::make_unique<Node>(Table{}, change.place)});
      at = table->entries.back().value.get();
    } else {
      at = known->value.get();
    }
  }
  *at = change.value;
}

bool names_a_folder(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\\n") == std::string::npos;
}

/// Names of things are names of groups in the results.
template <class T>
void check_names(const char* kind, const config::NamedTables<T>& tables, Diagnostics& diagnostics) {
  for (const auto& [name, table] : tables) {
    if (names_a_folder(name)) continue;
    diagnostics.error(table.place, fmt::format("{} can't have the name {}", kind, config::quoted(name)), "leave out slashes and line ends");
  }
}

void check_names(const File& file, const std::string& path, Diagnostics& diagnostics) {
  if (!names_a_folder(file.name)) {
    diagnostics.error({path, 0, 0}, "the name \"" + file.name + "\" can't name a folder", "leave out slashes and line ends");
  }
  check_names("a site", file.site, diagnostics);
  check_names("a feed", file.feed, diagnostics);
  check_names("a cluster", file.cluster, diagnostics);
  check_names("a pool", file.pool, diagnostics);
  check_names("a traffic", file.traffic, diagnostics);
  check_names("a job", file.training, diagnostics);
}

}  // namespace

VariantFile::VariantFile(const std::string& path, const LoadOptions& options) : VariantFile(config::load(path), path, options) {}

VariantFile::VariantFile(Node root, std::string path, LoadOptions options)
    : root_(std::move(root)), path_(std::move(path)), options_(std::move(options)) {
  for (const auto& assignment : options_.sets) config::set(root_, assignment);
}

std::optional<Node> VariantFile::take(const std::string& key) {
  auto* table = root_.as<Table>();
  const Node* found = table == nullptr ? nullptr : table->find(key);
  if (found == nullptr) return std::nullopt;
  std::optional<Node> taken(*found);
  std::erase_if(table->entries, [&](const Table::Entry& entry) { return entry.key == key; });
  return taken;
}

Node VariantFile::changed(const std::vector<Assignment>& changes) const {
  Node root = root_;
  for (const Assignment& change : changes) put(root, change);
  return root;
}

Scenario VariantFile::merged(const Node& keys) const {
  Node root = root_;
  config::merge(root, keys);
  return resolved(root);
}

Scenario VariantFile::with(const std::vector<Assignment>& changes) const { return resolved(changed(changes)); }

File VariantFile::read(const std::vector<Assignment>& changes) const { return file_of(changed(changes)); }

File VariantFile::file_of(const Node& root) const {
  Diagnostics diagnostics;
  File file = file_record().read(root, diagnostics);
  diagnostics.throw_if_failed();
  if (file.name.empty()) file.name = std::filesystem::path(path_).stem().string();
  if (options_.seed) file.seed = static_cast<std::int64_t>(*options_.seed);
  return file;
}

Scenario VariantFile::resolved(const Node& root) const {
  const File file = file_of(root);
  Diagnostics diagnostics;
  check_names(file, path_, diagnostics);
  Scenario scenario = Resolver(file, options_.share_dir, diagnostics).resolve();
  if (!diagnostics.failed()) check_placement(scenario, diagnostics);
  diagnostics.throw_if_failed();
  std::sort(scenario.inputs.begin(), scenario.inputs.end());
  scenario.inputs.erase(std::unique(scenario.inputs.begin(), scenario.inputs.end()), scenario.inputs.end());
  for (const auto& note : diagnostics.notes()) scenario.notes.push_back(note);
  note_others(file, scenario);
  return scenario;
}

void SharedFaults::add(const UserError& error) {
  for (const UserFault& fault : error.faults()) {
    const bool known = std::any_of(faults_.begin(), faults_.end(), [&](const UserFault& each) { return each.text() == fault.text(); });
    if (!known) faults_.push_back(fault);
  }
}

void SharedFaults::throw_if_any() const {
  if (!faults_.empty()) throw UserError(faults_);
}

}  // namespace joulecast::scenario
