#include "report/facts_json.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>

namespace joulecast::report {

using Json = nlohmann::ordered_json;

Json study_facts(const RunFacts& facts, const std::string& study, const std::string& hash, const std::vector<scenario::Input>& inputs) {
  Json object = {{"version", facts.version}, {"git_hash", facts.git_hash}, {"compiler", facts.compiler}};
  object[study] = hash;
  object["threads"] = facts.threads;
  object["host"] = facts.host;
  object["wall_s"] = facts.wall_s;
  object["cpu_s"] = facts.cpu_s;
  object["peak_memory_bytes"] = facts.peak_memory_bytes;
  object["inputs"] = Json::array();
  for (const scenario::Input& input : inputs) object["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  return object;
}

std::string facts_text(const Json& facts) { return facts.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

EarlierFacts::EarlierFacts(const std::filesystem::path& folder) {
  std::ifstream file(folder / kFactsFile);
  facts_ = Json::parse(file, nullptr, false);
}

const Json* EarlierFacts::find(const char* key) const {
  if (!facts_.is_object()) return nullptr;
  const auto found = facts_.find(key);
  return found == facts_.end() ? nullptr : &*found;
}

std::string EarlierFacts::text(const char* key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

int EarlierFacts::number(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_number_integer()) return 0;
  const auto whole = value->get<std::int64_t>();
  return whole < std::numeric_limits<int>::min() || whole > std::numeric_limits<int>::max() ? 0 : static_cast<int>(whole);
}

std::vector<std::size_t> EarlierFacts::numbers(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_array()) return {};
  if (!std::all_of(value->begin(), value->end(), [](const Json& each) { return each.is_number_unsigned(); })) return {};
  return value->get<std::vector<std::size_t>>();
}

}  // namespace joulecast::report
