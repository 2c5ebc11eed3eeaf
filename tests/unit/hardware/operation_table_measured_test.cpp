#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>

#include "hardware/operation_table.hpp"

using namespace joulecast::hardware;

namespace {

/// Rows of a gzipped table as column -> text.
std::vector<std::map<std::string, std::string>> read_gzipped(const std::string& path) {
  const std::string command = "gzip -dc '" + path + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  char buffer[65536];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) text.append(buffer, n);
  std::istringstream lines(text);
  std::string line, word;
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; std::getline(words, word, ','); ++i) {
      if (rows.empty() && i == names.size()) {
        names.push_back(word);
      } else {
        row[names[i]] = word;
      }
    }
    rows.push_back(std::move(row));
  }
  REQUIRE(rows.size() > 1);
  rows.erase(rows.begin());
  return rows;
}

struct Check {
  std::string gpu, prefix, version;
  int spikes;  ///< disturbed measurements that the file leaves out, as it says
};

}  // namespace

TEST_CASE("the shipped operation tables keep within their stated bound of every measured point") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: the measured operation tables are not compared");
    return;
  }
  const auto check = GENERATE(values<Check>({{"a100-sxm", "a100_sxm", "0.14.0", 4}, {"h100-sxm", "h100_sxm", "0.24.0", 0}}));
  const OperationTables tables = OperationTables::read_file("hardware_profiles/tables/" + check.gpu + ".toml");
  const double bound = tables.worst_error() + 1e-3;  // the file's times have four digits
  const std::string stem = std::string(data) + "/ops/aiconfigurator/" + check.prefix;
  int points = 0, beyond = 0;
  const auto compare = [&](double ours, double measured_ms) {
    ++points;
    if (std::abs(ours / (1e-3 * measured_ms) - 1) > bound) ++beyond;
  };
  std::map<std::array<int, 3>, std::vector<double>> prompts;  // some were measured twice: their mean counts
  for (const std::string kind : {"generation", "context"}) {
    for (auto& row : read_gzipped(stem + "_attention_vllm_" + check.version + "_" + kind + "_attention_perf.csv.gz")) {
      if (row["head_dim"] != "128" || row["attn_dtype"] != "bfloat16" || row["kv_cache_dtype"] != "bfloat16") continue;
      if (row.count("window_size") != 0 && row["window_size"] != "0") continue;
      const int heads = std::stoi(row["num_heads"]), kv_heads = std::stoi(row["num_key_value_heads"]), batch = std::stoi(row["batch_size"]);
      if (kind == "generation") {
        const auto* table = tables.generation_attention(heads, kv_heads);
        if (table != nullptr) compare(table->seconds.at(batch, std::stoi(row["step"]) + 1), std::stod(row["latency"]));
      } else if (batch == 1) {
        prompts[{heads, kv_heads, std::stoi(row["isl"])}].push_back(std::stod(row["latency"]));
      }
    }
  }
  for (const auto& [key, latencies] : prompts) {
    const auto* table = tables.context_attention(key[0], key[1]);
    if (table == nullptr) continue;
    double sum = 0;
    for (const double latency : latencies) sum += latency;
    compare(table->seconds.at(key[2]), sum / static_cast<double>(latencies.size()));
  }
  for (auto& row : read_gzipped(stem + "_comm_vllm_" + check.version + "_custom_allreduce_perf.csv.gz")) {
    const auto* table = tables.all_reduce(std::stoi(row["num_gpus"]));
    REQUIRE(table != nullptr);
    const auto& curve = row["backend"] == "vllm_graph" ? table->graph_seconds : table->eager_seconds;
    compare(curve.at(2 * std::stod(row["message_size"])), std::stod(row["latency"]));
  }
  CHECK(points > 2000);
  CHECK(beyond <= check.spikes);
}
