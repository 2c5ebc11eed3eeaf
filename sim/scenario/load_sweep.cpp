#include "scenario/load_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/inline_text.hpp"

namespace joulecast::scenario {

using config::Diagnostics;
using config::Node;
using config::Table;

namespace {

/// Tables with names of the user's own: a sweep varies those that are there.
constexpr const char* kNamed[] = {"site", "feed", "cluster", "model", "engine", "pool", "traffic", "training", "policy"};

void check_there(const SweepKey& key, const Node& root, Diagnostics& diagnostics) {
  const std::string& kind = key.path.front();
  if (std::find(std::begin(kNamed), std::end(kNamed), kind) == std::end(kNamed) || key.path.size() < 2) return;
  const Node* tables = root.as<Table>() != nullptr ? root.as<Table>()->find(kind) : nullptr;
  const Table* table = tables != nullptr ? tables->as<Table>() : nullptr;
  if (table != nullptr && table->find(key.path[1]) != nullptr) return;
  std::vector<std::string> names;
  if (table != nullptr) {
    for (const Table::Entry& entry : table->entries) names.push_back(entry.key);
  }
  const std::string near = config::nearest(key.path[1], names);
  diagnostics.error(key.place, fmt::format("{} is swept, and there is no [{}.{}]", key.text, kind, config::key_text(key.path[1])),
                    near.empty() ? fmt::format("write [{}.{}], or name a table that is there", kind, config::key_text(key.path[1]))
                                 : fmt::format("did you mean {}.{}?", kind, config::key_text(near)));
}

/// Whether `--set` says something at a key, above it or below it.
bool is_set(const Node& sets, const std::vector<std::string>& path) {
  const Node* at = &sets;
  for (const std::string& key : path) {
    const Table* table = at->as<Table>();
    if (table == nullptr) return true;
    at = table->find(key);
    if (at == nullptr) return false;
  }
  return true;
}

void check_conflicts(const SweepTable& table, const LoadOptions& options, Diagnostics& diagnostics) {
  Node sets(Table{}, {});
  for (const std::string& assignment : options.sets) config::set(sets, assignment);
  for (const SweepDimension& dimension : table.dimensions) {
    for (const SweepKey& key : dimension.keys) {
      if (options.seed && key.path.front() == "seed") {
        diagnostics.error(key.place, "--seed conflicts with the sweep of seed", "leave --seed out, or the key");
      } else if (is_set(sets, key.path)) {
        diagnostics.error(
            key.place, fmt::format("--set of {} conflicts with its sweep", key.text),
            fmt::format("leave the --set out, or narrow the sweep: --set 'sweep.{}{}=[...]'", dimension.keys.size() > 1 ? "zip." : "", key.text));
      }
    }
  }
}

}  // namespace

SweepFile::SweepFile(VariantFile file, SweepTable table) : file_(std::move(file)), table_(std::move(table)) { check_points(); }

std::vector<std::size_t> SweepFile::at(std::size_t point) const {
  std::vector<std::size_t> at(table_.dimensions.size());
  for (std::size_t d = at.size(); d-- > 0;) {
    at[d] = point % table_.dimensions[d].size();
    point /= table_.dimensions[d].size();
  }
  return at;
}

std::vector<Assignment> SweepFile::changes(std::size_t point) const {
  std::vector<Assignment> all;
  const auto where = at(point);
  for (std::size_t d = 0; d < where.size(); ++d) {
    for (const SweepKey& key : table_.dimensions[d].keys) all.push_back({key.path, key.place, key.values[where[d]]});
  }
  return all;
}

Scenario SweepFile::scenario(std::size_t point) const { return file_.with(changes(point)); }

std::vector<std::string> SweepFile::settings(std::size_t point) const {
  std::vector<std::string> all;
  const auto where = at(point);
  for (std::size_t d = 0; d < where.size(); ++d) {
    for (const SweepKey& key : table_.dimensions[d].keys) all.push_back(key.text + "=" + config::inline_text(key.values[where[d]]));
  }
  return all;
}

/// Every value of every dimension once: what a value may be does not depend on the others.
void SweepFile::check_points() {
  SharedFaults faults;
  const auto check = [&](std::size_t point) {
    try {
      const File file = file_.read(changes(point));
      if (point > 0) return;
      name_ = file.name;
      seed_ = static_cast<std::uint64_t>(file.seed);
    } catch (const UserError& error) {
      faults.add(error);
    }
  };
  check(0);
  std::size_t stride = 1;
  for (std::size_t d = table_.dimensions.size(); d-- > 0;) {
    for (std::size_t value = 1; value < table_.dimensions[d].size(); ++value) check(value * stride);
    stride *= table_.dimensions[d].size();
  }
  faults.throw_if_any();
}

bool has_sweep(const std::string& path, const LoadOptions& options) {
  const VariantFile file(path, options);
  const auto* table = file.root().as<Table>();
  return table != nullptr && table->find("sweep") != nullptr;
}

SweepFile load_sweep(const std::string& path, const LoadOptions& options) {
  VariantFile file(path, options);
  const auto written = file.take("sweep");
  if (!written) {
    throw UserError({path, 0, 0}, "the scenario has no [sweep]",
                    "add [sweep] with keys and lists, such as pool.chat.replicas = [2, 4, 8]; `joulecast schema sweep` shows more");
  }
  Diagnostics diagnostics;
  SweepTable table = read_sweep(*written, diagnostics);
  for (const SweepDimension& dimension : table.dimensions) {
    for (const SweepKey& key : dimension.keys) check_there(key, file.root(), diagnostics);
  }
  check_conflicts(table, options, diagnostics);
  diagnostics.throw_if_failed();
  return {std::move(file), std::move(table)};
}

}  // namespace joulecast::scenario
