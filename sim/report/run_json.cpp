#include "report/run_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace joulecast::report {

std::string run_json(const RunFacts& facts, const scenario::Result& result, bool partial) {
  using Json = nlohmann::ordered_json;
  Json object = Json::object();
  object["version"] = facts.version;
  object["git_hash"] = facts.git_hash;
  object["compiler"] = facts.compiler;
  object["name"] = result.name;
  object["seed"] = result.seed;
  if (result.partial || partial) object["partial"] = true;
  object["threads"] = facts.threads;
  object["host"] = facts.host;
  object["wall_s"] = facts.wall_s;
  object["cpu_s"] = facts.cpu_s;
  object["peak_memory_bytes"] = facts.peak_memory_bytes;
  object["events"] = result.events;
  object["windows"] = result.windows;
  object["parallel_windows"] = result.parallel_windows;
  if (!result.fingerprint.empty()) object["fingerprint"] = result.fingerprint;
  Json inputs = Json::array();
  for (const auto& input : result.inputs) {
    Json entry = Json::object();
    entry["path"] = input.path;
    entry["sha256"] = input.sha256;
    inputs.push_back(std::move(entry));
  }
  object["inputs"] = std::move(inputs);
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace joulecast::report
