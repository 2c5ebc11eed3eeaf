// What a person who made a mistake reads: what was read, what was expected, what to do.
#include <catch2/catch.hpp>

#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

TEST_CASE("The scenario that the other cases spoil loads, with its defaults") {
  const Scenario scenario = load_text(kChat);
  CHECK(scenario.duration->si() == 3600);
  CHECK(scenario.at_end == AtEnd::cut);
  CHECK(scenario.bin.si() == 1);
  CHECK(scenario.warmup.si() == 0);
  CHECK(scenario.replica_policy == "round_robin");
  CHECK_FALSE(scenario.report_period);
  REQUIRE(scenario.pools.size() == 1);
  CHECK(scenario.pools[0].engine.max_num_seqs == 256);
  CHECK(scenario.pools[0].engine.max_num_batched_tokens == 8192);
  CHECK(scenario.clusters[0].nodes == 1);
  CHECK(scenario.traffics[0].pools == std::vector<std::size_t>{0});
}

TEST_CASE("A mistyped policy is refused with the nearest name, a mistyped key of one with the policy's parameters") {
  CHECK_THAT(faults(kChat + "[router]\nreplica = \"least_outstandin\"\n"),
             Contains("\"least_outstandin\"") && Contains("did you mean \"least_outstanding\"?"));
  CHECK_THAT(faults(kChat + "[router]\nreplica = \"mine\"\n[policy.mine]\nuse = \"round_robbin\"\n"), Contains("did you mean \"round_robin\"?"));
  CHECK_THAT(faults(kChat + "[router]\nreplica = \"mine\"\n[policy.mine]\nuse = \"round_robin\"\nzeta = 1\n"), Contains("zeta"));
  CHECK_THAT(faults(kChat + "[router]\nreplica = \"mine\"\n[policy.mine]\n"), Contains("does not say which policy it uses"));
  CHECK(load_text(kChat + "[router]\nreplica = \"mine\"\n[policy.mine]\nuse = \"power_of_two\"\n").replica_policy == "power_of_two");
}

TEST_CASE("A mistyped key, a missing unit, a wrong type and a missing table are told at once") {
  const std::string all = faults(kChat, {"pool.chat.replica=3", "time.duration=60", "site.here.pue='much'"});
  CHECK_THAT(all, Contains("replica") && Contains("replicas"));
  CHECK_THAT(all, Contains("duration"));
  CHECK_THAT(all, Contains("pue"));
}

TEST_CASE("A model that does not fit its GPUs, and a tensor parallelism that no node holds") {
  CHECK_THAT(faults(kChat, {"pool.chat.tensor_parallel_size=1"}), Contains("70B") && Contains("fit"));
  CHECK_THAT(faults(kChat, {"pool.chat.tensor_parallel_size=16"}), Contains("tensor_parallel_size 16 does not fit a node of 8 GPUs"));
  CHECK_THAT(faults(kChat, {"pool.chat.tensor_parallel_size=3"}), Contains("3"));
}

TEST_CASE("Contexts that do not fit the model or the KV cache") {
  CHECK_THAT(faults(kChat, {"engine.default.max_model_len=200000"}), Contains("longer than the model's context of 131072"));
  CHECK_THAT(faults(kChat, {"engine.default.max_model_len=5000", "engine.default.num_gpu_blocks_override=301"}),
             Contains("max_model_len 5000 does not fit the KV cache of 4800 tokens") && Contains("at most 4800"));
  CHECK(load_text(kChat, {"engine.default.max_model_len=4800", "engine.default.num_gpu_blocks_override=301"}).pools[0].engine.max_model_len == 4800);
}

TEST_CASE("Without chunked prefill a step must hold the longest prompt") {
  const std::vector<std::string> small = {"engine.default.enable_chunked_prefill=false", "engine.default.max_model_len=9000"};
  CHECK_THAT(faults(kChat, small), Contains("without chunked prefill") && Contains("raise max_num_batched_tokens to 9000"));
  std::vector<std::string> enough = small;
  enough.push_back("engine.default.max_num_batched_tokens=9000");
  CHECK(faults(kChat, enough) == "");
  // The KV cache bounds prompts too: 501 blocks, one of them the null block, hold 8000 tokens.
  CHECK(faults(kChat, {"engine.default.enable_chunked_prefill=false", "engine.default.num_gpu_blocks_override=501"}) == "");
  CHECK_THAT(faults(kChat, {"engine.default.enable_chunked_prefill=false", "engine.default.num_gpu_blocks_override=514"}), Contains("8208"));
}

TEST_CASE("Costs in two currencies are refused") {
  const std::string price = "site.here.price='0.08 USD/kWh'";
  CHECK(faults(kChat, {price, "pool.chat.cost={rental='1.3 USD/GPU/h'}"}) == "");
  CHECK_THAT(faults(kChat, {price, "pool.chat.cost={rental='1.3 EUR/GPU/h'}"}), Contains("USD") && Contains("EUR") && Contains("one currency"));
  CHECK_THAT(faults(kChat, {"pool.chat.cost={capital='300000 EUR/node'}"}), Contains("capital and life belong together"));
}

TEST_CASE("A cluster that is too small names its pools and what they want") {
  const std::string small = R"(schema = 1
[site.here]
pue = 1.25
[cluster.one]
node = "dgx-h100"
nodes = 1
[pool.a]
cluster = "one"
model = "meta-llama/Llama-3.1-8B"
tensor_parallel_size = 1
replicas = 5
[pool.b]
cluster = "one"
model = "meta-llama/Llama-3.1-8B"
tensor_parallel_size = 4
replicas = 1
)";
  CHECK_THAT(faults(small), Contains("cluster \"one\" has 8 GPUs in nodes of 8; its pools want 9: a (5 x 1), b (1 x 4)"));
  CHECK(faults(small, {"cluster.one.nodes=2"}) == "");
  CHECK_THAT(faults(small, {"pool.a.cluster='on'"}), Contains("there is no [cluster.on]") && Contains("did you mean \"one\"?"));
  CHECK_THAT(faults(small, {"pool.a.node='dgx-h100'"}), Contains("both cluster and node"));
}

TEST_CASE("A pool with a node of its own makes a cluster of its name, and no other may have it") {
  const std::string taken = kChat + "[cluster.chat]\nnode = \"dgx-h100\"\nnodes = 1\n";
  CHECK_THAT(faults(taken), Contains("there is a [cluster.chat]"));
  const std::string second =
      "[pool.more]\ncluster = \"chat\"\nmodel = \"meta-llama/Llama-3.1-70B-Instruct\"\ntensor_parallel_size = 4\nreplicas = 1\n";
  CHECK_THAT(faults(kChat + second), Contains("there is no [cluster.chat]"));
}

TEST_CASE("A rate is a number of requests that can be simulated") {
  for (const std::string rate : {"1e-300 /s", "1e300 /s", "0 /s", "-1 /s", "nan /s", "4"}) {
    CAPTURE(rate);
    CHECK(faults(kChat, {"traffic.chat.request_rate='" + rate + "'"}) != "");
    CHECK(faults(kChat, {"traffic.chat={lengths='azure-2023-conv',arrivals={request_rate='" + rate + "'}}"}) != "");
  }
}

TEST_CASE("A run that could never end, and a warm-up that is all of it") {
  const std::string trace = "traffic.chat={requests={file='requests.csv',format='azure'},length_prediction='mean'}";
  CHECK_THAT(faults(kChat, {trace, "time.at_end='cut'"}), Contains("at_end = \"cut\" needs a duration"));
  CHECK_THAT(faults(kChat, {"time.at_end='stop'"}), Contains("at_end = \"stop\" is not known"));
  CHECK_THAT(faults(kChat, {"time.duration='60 s'", "time.warmup='60 s'"}), Contains("warmup"));
  for (const std::string time : {"0 s", "1e-10 s", "1e308 s", "40 year", "nan s"}) {
    CAPTURE(time);
    CHECK_THAT(faults(kChat, {"time.duration='" + time + "'"}), Contains("duration"));
  }
  CHECK_THAT(faults(kChat, {"time.at_end='drain'", "time.warmup='1e308 s'"}), Contains("warmup"));
  CHECK_THAT(faults(kChat, {"time.duration='10 year'", "time.bin='1 ms'"}), Contains("50 million bins"));
}

TEST_CASE("Clocks and caps that the GPU can't be set to") {
  CHECK_THAT(faults(kChat, {"pool.chat.sm_clock='2 GHz'"}), Contains("2000 MHz") && Contains("345 .. 1980 MHz"));
  CHECK_THAT(faults(kChat, {"pool.chat.gpu_power_limit='100 W'"}), Contains("100 W") && Contains("200 .. 700 W"));
  CHECK_THAT(faults(kChat, {"pool.chat.sm_clock={prefill='1980 MHz'}"}), Contains("needs prefill and decode"));
  CHECK_THAT(faults(kChat, {"pool.chat.gpu_power_limit=500"}), Contains("expected a power"));
}

TEST_CASE("No pool, no site, no traffic's model") {
  CHECK_THAT(faults("schema = 1\n"), Contains("no site") && Contains("no pool"));
  CHECK_THAT(faults(kChat, {"traffic.chat.models=['gpt']"}), Contains("no pool serves \"gpt\", a model of this traffic"));
  CHECK_THAT(faults(kChat, {"traffic.chat.requests='azure-2023-con'"}), Contains("did you mean \"azure-2023-conv\"?"));
}
