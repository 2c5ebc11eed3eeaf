#include <algorithm>
#include <map>
#include <string>

#include "cli/completion.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "policy/clock_registry.hpp"
#include "policy/control_registry.hpp"
#include "policy/registry.hpp"
#include "scenario/load.hpp"

namespace joulecast::cli {
namespace {

using config::Parameter;

/// A level of the keys: what may stand there, what the scenario's file has there, and the path so far, with names and without.
struct Level {
  std::vector<Parameter> keys;
  const config::Node* in_file = nullptr;
  bool names = false;  ///< a name of a table comes next
  std::string path, schema_path;
};

const config::Node* inside(const config::Node* node, const std::string& key) {
  const auto* table = node == nullptr ? nullptr : node->as<config::Table>();
  return table == nullptr ? nullptr : table->find(key);
}

/// Goes down by one word of a dotted path; false where nothing is called so.
bool descend(Level& level, const std::string& word) {
  level.in_file = inside(level.in_file, word);
  level.path += word + ".";
  if (level.names) {
    level.names = false;
    return true;
  }
  const auto found = std::find_if(level.keys.begin(), level.keys.end(), [&](const Parameter& p) { return p.key == word; });
  if (found == level.keys.end()) return false;
  level.schema_path += word + ".";
  level.names = found->type == "tables";
  std::vector<Parameter> nested = found->nested;
  level.keys = std::move(nested);
  return true;
}

/// The words of "one of a | b", and of `"high" | "low"`.
std::vector<Candidate> choices(const std::string& type) {
  std::vector<Candidate> all;
  if (type == "boolean") return {{"true", ""}, {"false", ""}};
  const bool listed = type.starts_with("one of ");
  if (!listed && type.find(" | ") == std::string::npos) return all;
  std::string rest = listed ? type.substr(7) : type;
  while (!rest.empty()) {
    const std::size_t end = rest.find(" | ");
    std::string word = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 3);
    const bool quoted = word.size() > 2 && word.front() == '"' && word.back() == '"';
    if (quoted) word = word.substr(1, word.size() - 2);
    if (listed || quoted) all.push_back({word, ""});
  }
  return all;
}

template <class Policy>
void add(std::vector<Candidate>& all, const std::vector<Policy>& policies) {
  for (const Policy& policy : policies) all.push_back({policy.name, policy.text});
}

/// Names that a key takes: shipped ones, and tables of the scenario's file.
std::vector<Candidate> names_for(const std::string& schema_path, const config::Node* root) {
  std::vector<Candidate> all;
  const auto from_file = [&](const char* kind) {
    const config::Node* tables = inside(root, kind);
    if (tables == nullptr || tables->as<config::Table>() == nullptr) return;
    for (const auto& entry : tables->as<config::Table>()->entries) all.push_back({entry.key, std::string(kind) + " of the scenario"});
  };
  const auto profiles = [&](const char* kind) {
    for (Candidate& each : profile_candidates(kind)) all.push_back(std::move(each));
  };
  const std::string key = schema_path.substr(schema_path.rfind('.') + 1);
  const bool policy = schema_path == "router.replica" || schema_path == "router.pool" || key == "sm_clock" || key == "scaling" || key == "policy" ||
                      key == "power_policy";
  if (policy) from_file("policy");
  if (schema_path == "router.replica") add(all, policy::replica_policies());
  if (schema_path == "router.pool") add(all, policy::pool_policies());
  if (schema_path == "pool.sm_clock") add(all, policy::clock_controls());
  if (schema_path == "pool.sm_clock") all.push_back({"auto", "the clock that the GPU chooses"});
  if (schema_path == "pool.scaling") add(all, policy::scaling_controls());
  if (schema_path == "feed.policy" || schema_path == "site.power_policy") add(all, policy::power_controls());
  if (schema_path == "training.sm_clock") add(all, policy::clock_policies());
  if (key == "node") profiles("node");
  if (key == "gpu") profiles("gpu");
  if (key == "fabric") profiles("fabric");
  if (key == "architecture") profiles("model");
  if (schema_path == "pool.model" || schema_path == "training.model") from_file("model"), profiles("model");
  for (const char* kind : {"cluster", "engine", "feed", "site"}) {
    if (key == kind) from_file(kind);
  }
  return all;
}

std::string as_value(const std::string& word) { return word.find_first_of(" /") == std::string::npos ? word : config::quoted(word); }

}  // namespace

std::vector<Candidate> complete_assignment(const std::string& begun, const std::string& scenario) {
  config::Node root(config::Table{}, {});
  try {
    if (!scenario.empty()) root = config::load(scenario);
  } catch (const UserError&) {
    // The keys are known without the file.
  }
  Level level{scenario::schema(), &root, false, "", ""};
  const std::size_t equals = begun.find('=');
  std::string rest = begun.substr(0, equals);
  for (std::size_t dot; (dot = rest.find('.')) != std::string::npos; rest.erase(0, dot + 1)) {
    if (!descend(level, rest.substr(0, dot))) return {};
  }
  std::vector<Candidate> all;
  if (equals != std::string::npos) {
    const auto found = std::find_if(level.keys.begin(), level.keys.end(), [&](const Parameter& p) { return p.key == rest; });
    if (found == level.keys.end() || level.names) return {};
    std::vector<Candidate> values = choices(found->type);
    for (Candidate& each : names_for(level.schema_path + rest, &root)) values.push_back(std::move(each));
    for (const Candidate& each : values) all.push_back({begun.substr(0, equals + 1) + as_value(each.word), each.text});
    return all;
  }
  if (level.names) {
    const auto* tables = level.in_file == nullptr ? nullptr : level.in_file->as<config::Table>();
    if (tables == nullptr) return {};
    for (const auto& entry : tables->entries) all.push_back({level.path + config::key_text(entry.key) + ".", ""});
    return all;
  }
  for (const Parameter& p : level.keys) {
    if (p.later) continue;
    const bool table = p.type == "table" || p.type == "tables";
    if (!table) all.push_back({level.path + p.key + "=", p.text});
    if (table || !p.nested.empty()) all.push_back({level.path + p.key + ".", p.text});
  }
  return all;
}

std::vector<Candidate> complete_schema_key(const std::string& begun) {
  Level level{scenario::schema(), nullptr, false, "", ""};
  std::string rest = begun;
  for (std::size_t dot; (dot = rest.find('.')) != std::string::npos; rest.erase(0, dot + 1)) {
    if (!descend(level, rest.substr(0, dot))) return {};
    level.names = false;
  }
  std::vector<Candidate> all;
  for (const Parameter& p : level.keys) {
    all.push_back({level.path + p.key, p.text});
    if (!p.nested.empty()) all.push_back({level.path + p.key + ".", p.text});
  }
  return all;
}

}  // namespace joulecast::cli
