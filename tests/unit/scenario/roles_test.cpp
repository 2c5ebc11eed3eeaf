// Prompts on some pools, answers on others: what is checked, what a run does, what the resolved file says.
#include <catch2/catch.hpp>

#include "scenario/resolved.hpp"
#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

std::string split_text(const std::string& prefill, const std::string& decode, const std::string& rest = "") {
  return R"(schema = 1
[time]
duration = "20 s"
at_end = "drain"
[site.here]
pue = 1.25
[cluster.h100]
node = "dgx-h100"
nodes = 1
[cluster.a100]
node = "dgx-a100"
nodes = 1
[pool.prompts]
cluster = "h100"
model = "meta-llama/Llama-3.1-8B"
tensor_parallel_size = 1
replicas = 2
)" + prefill +
         R"(
[pool.answers]
cluster = "a100"
model = "meta-llama/Llama-3.1-8B"
tensor_parallel_size = 1
replicas = 3
)" + decode +
         R"(
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "3 /s"
)" + rest;
}

std::string split_text() { return split_text("role = \"prefill\"", "role = \"decode\""); }

}  // namespace

TEST_CASE("every prompt is computed by a prefill pool and every token given by a decode pool") {
  const Scenario scenario = load_text(split_text());
  RunOptions options;
  options.keep_requests = true;
  const Result result = simulate(scenario, options);
  CHECK(result.pools[0].role == "prefill");
  CHECK(result.pools[0].output_tokens == 0);
  CHECK(result.pools[1].output_tokens == result.traffics[0].output_tokens);
  CHECK(result.traffics[0].completed == result.traffics[0].arrived);
  CHECK(*result.pools[0].kv_transferred_bytes == *result.pools[1].kv_transferred_bytes);
  double bytes = 0;
  const auto& table = *result.requests.front().second;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const auto& [facts, outcome] = table[i];
    // Whole blocks of 16 tokens; 32 layers * 2 * 8 heads * 128 values of 2 bytes a token.
    CHECK(outcome.kv_blocks == (facts.input + 15) / 16);
    bytes += outcome.kv_blocks * 16.0 * 131072;
    CHECK(outcome.prefill_replica < 2);
    CHECK(outcome.replica >= 2);
    // One NIC a GPU, of 25 GB/s on the A100's side at 0.97 of it; then the prompt's last token takes a step.
    const double alone = outcome.kv_blocks * 16.0 * 131072 / (0.97 * 25e9);
    CHECK((outcome.kv_received - outcome.prefilled).seconds() >= alone);
    CHECK(outcome.first_token > outcome.kv_received);
    CHECK(outcome.prefilled > facts.arrival);
  }
  CHECK(*result.pools[0].kv_transferred_bytes == bytes);
  CHECK(result.traffics[0].ttft_s.mean > result.traffics[0].prefill_s->mean + result.traffics[0].kv_transfer_s->mean);
}

TEST_CASE("where more GPUs than KV heads copy them, the bytes reported are those that went over the network") {
  std::string text = split_text();
  for (std::size_t at = 0; (at = text.find("meta-llama/Llama-3.1-8B", at)) != std::string::npos;)
    text.replace(at, 23, "Qwen/Qwen3-30B-A3B-Instruct-2507");
  const Scenario scenario = load_text(
      text, {"pool.prompts.tensor_parallel_size=8", "pool.prompts.replicas=1", "pool.answers.tensor_parallel_size=8", "pool.answers.replicas=1"});
  RunOptions options;
  options.keep_requests = true;
  const Result result = simulate(scenario, options);
  std::int64_t blocks = 0;
  const auto& table = *result.requests.front().second;
  for (std::uint32_t i = 0; i < table.size(); ++i) blocks += table[i].outcome.kv_blocks;
  REQUIRE(blocks > 0);
  // 48 layers * 2 * 128 values of 2 bytes a KV head, and eight GPUs hold one of the four heads each.
  for (const PoolResult& pool : result.pools) CHECK(*pool.kv_transferred_bytes == static_cast<double>(blocks) * 16 * 8 * 48 * 2 * 128 * 2);
}

TEST_CASE("a decode pool has the limits and the priority of the traffic that it answers") {
  const std::string text =
      split_text("role = \"prefill\"", "role = \"decode\"\nsm_clock = \"slo_dvfs\"", "priority = \"low\"\nslo = { tpot = \"80 ms\" }\n");
  const Scenario scenario = load_text(text);
  CHECK(scenario.pools[1].clock_facts->limits.tpot_s == 0.08);
  for (const Pool& pool : scenario.pools) CHECK(pool.priority == control::Priority::low);
  CHECK(load_text(text, {"pool.answers.priority='high'"}).pools[1].priority == control::Priority::high);
}

TEST_CASE("policies that believe something of whole requests do not choose among pools that compute prompts alone") {
  const std::string text = split_text("role = \"prefill\"", "role = \"decode\"", R"(length_prediction = "mean"
slo = { ttft = "2 s", tpot = "80 ms" }
[pool.more]
cluster = "h100"
model = "meta-llama/Llama-3.1-8B"
tensor_parallel_size = 1
replicas = 2
role = "prefill"
)");
  CHECK(faults(text, {"router.pool='least_outstanding'"}) == "");
  CHECK_THAT(faults(text, {"router.pool='slo_energy'"}), Catch::Contains("pool \"prompts\" computes prompts alone"));
  CHECK_THAT(faults(text, {"router.pool='carbon_aware'"}), Catch::Contains("pool \"prompts\" computes prompts alone"));
}

TEST_CASE("without roles nothing is transferred, and nothing is said of it") {
  const Result result = simulate(load_text(split_text("", "")), {});
  CHECK(result.pools[0].role.empty());
  CHECK_FALSE(result.pools[0].kv_transferred_bytes.has_value());
  CHECK_FALSE(result.traffics[0].prefill_s.has_value());
}

TEST_CASE("vLLM's words for the roles are known, and the resolved file keeps them") {
  const Scenario scenario =
      load_text(split_text("role = \"kv_producer\"", "role = \"kv_consumer\"", "[router]\ndecode_replica = \"least_outstanding\"\n"));
  CHECK(scenario.pools[0].engine.kv_role == serving::KvRole::producer);
  CHECK(scenario.decode_policy == "least_outstanding");
  const std::string resolved = resolved_toml(scenario);
  CHECK_THAT(resolved, Catch::Contains("role = \"prefill\"") && Catch::Contains("role = \"decode\""));
  const Scenario again = load_text(resolved);
  CHECK(again.decode_policy == "least_outstanding");
  CHECK(again.pools[1].engine.kv_role == serving::KvRole::consumer);
  CHECK(resolved_toml(again) == resolved);
}

TEST_CASE("faults of roles are named") {
  CHECK_THAT(faults(split_text("role = \"prefill\"", "")), Catch::Contains("has a pool of role \"prefill\" and none of role \"decode\""));
  CHECK_THAT(faults(split_text("", "role = \"decode\"")), Catch::Contains("has a pool of role \"decode\" and none of role \"prefill\""));
  CHECK_THAT(faults(split_text("role = \"prefil\"", "role = \"decode\"")), Catch::Contains("prefill"));
  CHECK_THAT(faults(split_text("role = \"prefill\"\nengine = \"a\"", "role = \"decode\"", "[engine.a]\nblock_size = 32\n")),
             Catch::Contains("block sizes of 16 and 32 tokens"));
  CHECK_THAT(faults(split_text("", "", "[router]\ndecode_replica = \"random\"\n")), Catch::Contains("no traffic has one"));
  std::string alone = split_text();
  alone.replace(alone.find("dgx-a100"), 8, "pcie-8x-rtx-4090");
  CHECK_THAT(faults(alone), Catch::Contains("nothing joins nodes of kind"));
}
