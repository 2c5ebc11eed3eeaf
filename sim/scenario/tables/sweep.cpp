#include "scenario/tables/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "scenario/tables/sweep_values.hpp"

namespace joulecast::scenario {

using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

constexpr std::size_t kMostDimensions = 16;
/// Keys that all points share.
constexpr const char* kOfAll[] = {"schema", "name", "extends", "compare", "sweep", "plan"};
constexpr const char* kExample = "write a key of the scenario with a list, such as pool.chat.replicas = [2, 4, 8]";

Record<SweepSettings> settings_record() {
  Record<SweepSettings> record("sweep.settings");
  record
      .choice("boundary", &SweepSettings::boundary,
              {{"gpu", metering::Boundary::gpu},
               {"chassis_ac", metering::Boundary::chassis_ac},
               {"it", metering::Boundary::it},
               {"facility", metering::Boundary::facility}},
              "\"facility\"", "where watts of the objectives are counted, unless one says so")
      .custom("objectives", "list of string", "joules an output token and p99 TTFT; of jobs, joules and seconds an iteration",
              "figures that the Pareto front is taken over, by their keys in sweep.json",
              [](SweepSettings& settings, const Node& node, Diagnostics& diagnostics) {
                settings.place = node.place();
                if (auto keys = config::Reads<std::vector<std::string>>::read(node, diagnostics, "objectives"))
                  settings.objectives = std::move(*keys);
              });
  return record;
}

/// Finds the keys in a table of keys, tables and values.
void collect(const config::Table& table, std::vector<std::string> path, std::vector<SweepKey>& keys, Diagnostics& diagnostics) {
  for (const config::Table::Entry& entry : table.entries) {
    std::vector<std::string> further = path;
    further.push_back(entry.key);
    std::string text;
    for (const std::string& part : further) text += (text.empty() ? "" : ".") + config::key_text(part);
    if (says_values(*entry.value)) {
      keys.push_back({further, text, entry.place, values_of(*entry.value, text, diagnostics)});
    } else if (const auto* nested = entry.value->as<config::Table>(); nested != nullptr && !nested->entries.empty()) {
      collect(*nested, further, keys, diagnostics);
    } else {
      diagnostics.error(entry.place, fmt::format("the sweep of {} expects a list of values or a range, read {}", text, entry.value->kind()),
                        "write [1, 2, 3] or { from = 1, to = 8, steps = 8 }");
    }
  }
}

void check_keys(const std::vector<SweepDimension>& dimensions, Diagnostics& diagnostics) {
  std::vector<const SweepKey*> all;
  for (const SweepDimension& dimension : dimensions) {
    for (const SweepKey& key : dimension.keys) all.push_back(&key);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SweepKey& key = *all[i];
    for (const char* of_all : kOfAll) {
      if (key.path.front() == of_all) diagnostics.error(key.place, "\"" + key.text + "\" is the same at all points", "leave it out of [sweep]");
    }
    for (std::size_t j = 0; j < i; ++j) {
      const auto &a = key.path, &b = all[j]->path;
      if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin())) continue;
      diagnostics.error(key.place, fmt::format("{} is swept twice, as {} in {}", key.text, all[j]->text, all[j]->place.text()),
                        "keep one of the two");
    }
  }
}

void check_zip(const SweepDimension& zip, Diagnostics& diagnostics) {
  const SweepKey& first = zip.keys.front();
  for (const SweepKey& key : zip.keys) {
    if (key.values.size() == first.values.size() || key.values.empty() || first.values.empty()) continue;
    diagnostics.error(key.place,
                      fmt::format("{} has {} values and {} has {}: keys of [sweep.zip] move together", key.text, key.values.size(), first.text,
                                  first.values.size()),
                      "list as many values, or move the key to [sweep], where all combinations run");
  }
}

/// In the order of the file: toml++ knows tables by name alone, so dotted keys of one table lie together.
void in_order_of_file(std::vector<SweepDimension>& dimensions) {
  std::vector<std::string> files;
  for (const SweepDimension& each : dimensions) {
    const std::string& file = each.keys.front().place.file;
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  const auto order = [&](const SweepDimension& dimension) {
    const Place& place = dimension.keys.front().place;
    return std::tuple(std::find(files.begin(), files.end(), place.file), place.line, place.column);
  };
  std::stable_sort(dimensions.begin(), dimensions.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
}

void check_size(const SweepTable& sweep, Diagnostics& diagnostics) {
  if (sweep.dimensions.size() > kMostDimensions) {
    diagnostics.error(sweep.place, fmt::format("the sweep has {} dimensions, at most {} are possible", sweep.dimensions.size(), kMostDimensions),
                      "let some keys move together in [sweep.zip]");
  }
  if (sweep.points() > kMostSweepPoints) {
    diagnostics.error(sweep.place, fmt::format("the sweep has more than {} points", kMostSweepPoints),
                      "list fewer values, or sweep fewer keys at once");
  }
}

}  // namespace

std::string SweepDimension::name() const {
  std::string text;
  for (const SweepKey& key : keys) text += (text.empty() ? "" : "+") + key.text;
  return text;
}

std::size_t SweepTable::points() const {
  std::size_t points = dimensions.empty() ? 0 : 1;
  for (const SweepDimension& dimension : dimensions) {
    points *= dimension.size();
    if (points > kMostSweepPoints) return kMostSweepPoints + 1;
  }
  return points;
}

SweepTable read_sweep(const Node& node, Diagnostics& diagnostics) {
  SweepTable sweep;
  sweep.place = node.place();
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "expected a table [sweep], read " + std::string(node.kind()), kExample);
    return sweep;
  }
  const std::size_t faults = diagnostics.count();
  config::Table free;
  for (const config::Table::Entry& entry : table->entries) {
    const auto* nested = entry.value->as<config::Table>();
    if (entry.key != "settings" && entry.key != "zip") {
      free.entries.push_back({entry.key, entry.place, std::make_unique<Node>(*entry.value)});
    } else if (nested == nullptr) {
      diagnostics.error(entry.place, "expected a table, read " + std::string(entry.value->kind()), "write [sweep." + entry.key + "]");
    } else if (entry.key == "settings") {
      sweep.settings = settings_record().read(*entry.value, diagnostics);
    } else {
      SweepDimension zip;
      collect(*nested, {}, zip.keys, diagnostics);
      if (zip.keys.empty()) {
        diagnostics.error(entry.place, "[sweep.zip] has no key", kExample);
        continue;
      }
      std::stable_sort(zip.keys.begin(), zip.keys.end(), [](const SweepKey& a, const SweepKey& b) {
        return std::tie(a.place.file, a.place.line, a.place.column) < std::tie(b.place.file, b.place.line, b.place.column);
      });
      check_zip(zip, diagnostics);
      sweep.dimensions.push_back(std::move(zip));
    }
  }
  std::vector<SweepKey> keys;
  collect(free, {}, keys, diagnostics);
  for (SweepKey& key : keys) sweep.dimensions.push_back({{std::move(key)}});
  in_order_of_file(sweep.dimensions);
  if (sweep.dimensions.empty() && diagnostics.count() == faults) diagnostics.error(node.place(), "the sweep has no key", kExample);
  check_keys(sweep.dimensions, diagnostics);
  check_size(sweep, diagnostics);
  return sweep;
}

std::vector<config::Parameter> describe_sweep() {
  config::Parameter key, zip, settings;
  key.key = "KEY";
  key.type = "list, or { from, to, steps, spacing }";
  key.text = "any key of the scenario, dotted, with the values it takes; all combinations run";
  zip.key = "zip";
  zip.type = "table";
  zip.text = "keys whose lists are equally long and move together: one dimension";
  settings.key = "settings";
  settings.type = "table";
  settings.text = "what the points are judged by";
  settings.nested = settings_record().describe();
  return {key, zip, settings};
}

}  // namespace joulecast::scenario
