#include "scenario/load.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "scenario/records.hpp"
#include "scenario/run_hash.hpp"
#include "scenario/variants.hpp"
#include "traces/grid/options.hpp"
#include "traces/requests/options.hpp"

namespace joulecast::scenario {

namespace {

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

}  // namespace

config::Node load_tree(const std::string& path, const LoadOptions& options) { return VariantFile(path, options).root(); }

Scenario load_from_tree(const config::Node& root, const std::string& path, const LoadOptions& options) {
  LoadOptions applied = options;
  applied.sets.clear();  // the tree has them
  return VariantFile(root, path, applied).as_it_is();
}

Scenario load(const std::string& path, const LoadOptions& options) { return VariantFile(path, options).as_it_is(); }

Scenario load_text(const std::string& toml, const std::string& name, const LoadOptions& options) {
  return VariantFile(config::parse_text(toml, name), name, options).as_it_is();
}

std::string run_hash(const Scenario& scenario) {
  return run_hash(scenario, [](const std::string& input) { return sha256_of_file(input); });
}

std::string run_hash(const Scenario& scenario, const std::function<std::string(const std::string&)>& input_hash) {
  std::string content = resolved_toml(scenario);
  for (const auto& input : scenario.inputs) content += "\n" + input_hash(input);
  return sha256(content).substr(0, 16);
}

std::vector<config::Parameter> schema() {
  std::vector<config::Parameter> keys = file_record().describe();
  hold(keys, {"site", "price"}, traces::series_record().describe());
  hold(keys, {"site", "carbon"}, traces::series_record().describe());
  hold(keys, {"traffic", "requests"}, traces::trace_record().describe());
  hold(keys, {"sweep"}, describe_sweep());
  return keys;
}

}  // namespace joulecast::scenario
